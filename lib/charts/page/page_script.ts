/**
 * The script of the figures of one class: tips, the keyboard, and a legend whose entries switch
 * their marks off.
 *
 * It defines no global and loads nothing. It may run more than once, and from any place on the page:
 * front ends of notebooks move scripts. Where it cannot run, the drawing keeps its own tooltips.
 *
 * @param name The class.
 */
export function createPageScript(name: string): string {
  return SCRIPT.replace("NAME", JSON.stringify(name)).replaceAll(/\n +/g, "\n");
}

const SCRIPT = `(() => {
const current = document.currentScript;
const page = current && current.isConnected ? current.getRootNode() : document;
const NEAR = 12, NEAR_TOUCH = 28, STEP = 10;

for (const figure of page.querySelectorAll("figure." + NAME)) {
  if (figure.orderlensReady) continue;
  figure.orderlensReady = true;
  try { start(figure); } catch (error) { console.error(error); }
}

function start(figure) {
  const image = figure.querySelector(":scope > img");
  if (image) {
    const texts = [decodeURIComponent(image.getAttribute("src").replace(/^[^,]*,/, ""))];
    for (const other of figure.querySelectorAll(":scope > script[type='image/svg+xml']")) {
      texts.push(other.textContent);
    }
    const drawings = texts.map((text) =>
      document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true));
    if (drawings.some((drawing) => drawing.localName !== "svg")) return;
    image.replaceWith(...drawings);
  }
  figure.setAttribute("data-lm-suppress-shortcuts", "true");
  const tip = document.createElement("div");
  tip.setAttribute("aria-hidden", "true");
  figure.append(tip);
  const charts = [...figure.querySelectorAll(":scope > svg")].map((svg) => chart(figure, svg));
  const at = { mark: null };

  function show(mark, label) {
    if (at.mark) at.mark.removeAttribute("data-at");
    at.mark = mark;
    if (!mark) return tip.removeAttribute("data-shown");
    mark.setAttribute("data-at", "");
    tip.textContent = label;
    tip.setAttribute("data-shown", "");
    const frame = figure.getBoundingClientRect(), box = mark.getBoundingClientRect();
    const x = box.left + box.width / 2 - frame.left - tip.offsetWidth / 2;
    const above = box.top - frame.top - tip.offsetHeight - 8;
    const y = above >= 0 ? above : Math.min(box.bottom - frame.top + 8, frame.height - tip.offsetHeight);
    tip.style.left = Math.max(0, Math.min(x, frame.width - tip.offsetWidth)) + "px";
    tip.style.top = Math.max(0, y) + "px";
  }
  function point(event, near) {
    const owner = charts.find(({ svg }) => svg.contains(event.target));
    const mark = owner && owner.at(event, near);
    if (!mark) show(null);
    else if (mark !== at.mark) show(mark, mark.getAttribute("aria-label"));
  }
  function leave() {
    show(null);
    document.removeEventListener("keydown", onEscape);
    document.removeEventListener("pointerdown", onElsewhere);
  }
  function onEscape(event) {
    if (event.key === "Escape" || !figure.isConnected) leave();
  }
  function onElsewhere(event) {
    if (!figure.contains(event.target)) leave();
  }
  figure.addEventListener("pointerenter", () => {
    for (const { prepare } of charts) prepare();
    document.addEventListener("keydown", onEscape);
    document.addEventListener("pointerdown", onElsewhere);
  });
  figure.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "touch") point(event, NEAR);
  });
  figure.addEventListener("pointerdown", (event) => {
    point(event, event.pointerType === "touch" ? NEAR_TOUCH : NEAR);
  });
  figure.addEventListener("pointerleave", (event) => {
    if (event.pointerType !== "touch") leave();
  });
  figure.addEventListener("focusin", (event) => {
    const owner = charts.find(({ svg }) => svg.contains(event.target));
    if (!owner || event.target.matches("[data-legend]")) return;
    owner.prepare();
    if (owner.marks().includes(event.target)) {
      owner.hold(event.target);
      show(event.target, event.target.getAttribute("aria-label"));
    }
  });
  figure.addEventListener("focusout", () => show(null));
  figure.addEventListener("click", (event) => {
    const entry = event.target.closest("[data-legend]");
    if (entry) toggle(entry.getAttribute("data-legend"));
  });
  figure.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return show(null);
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const entry = event.target.closest("[data-legend]");
    if (entry) {
      if (event.key !== "Enter" && event.key !== " ") return;
      toggle(entry.getAttribute("data-legend"));
    } else {
      const owner = charts.find(({ svg }) => svg.contains(event.target));
      const next = owner && owner.next(event.target, event.key);
      if (!next) return;
      owner.hold(next);
      next.focus();
    }
    event.preventDefault();
    event.stopPropagation();
  });
  function toggle(series) {
    const entries = [...figure.querySelectorAll("[data-legend='" + series + "']")];
    const off = entries[0].getAttribute("aria-pressed") === "true";
    show(null);
    for (const entry of entries) entry.setAttribute("aria-pressed", String(!off));
    for (const mark of figure.querySelectorAll("[data-series='" + series + "']")) {
      mark.toggleAttribute("data-off", off);
    }
    for (const { changed } of charts) changed();
  }
}

function chart(figure, svg) {
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-roledescription", "chart");
  for (const entry of svg.querySelectorAll("[data-legend]")) {
    const label = [...entry.querySelectorAll("text")].map((text) => text.textContent).join(" ");
    entry.setAttribute("role", "button");
    entry.setAttribute("tabindex", "0");
    entry.setAttribute("aria-label", label);
    if (!entry.hasAttribute("aria-pressed")) entry.setAttribute("aria-pressed", "true");
  }
  let all, centers, width;
  const first = svg.querySelector(":scope > svg title");
  if (first) first.parentNode.setAttribute("tabindex", "0");
  function prepare() {
    if (all) return;
    all = [];
    for (const title of svg.querySelectorAll("title")) {
      const mark = title.parentNode;
      title.remove();
      if (mark === svg) continue;
      mark.setAttribute("aria-label", title.textContent);
      mark.setAttribute("role", "img");
      all.push(mark);
    }
  }
  const shown = (mark) => !mark.closest("[data-off]");
  const marks = () => all.filter(shown);
  function places() {
    const frame = svg.getBoundingClientRect();
    if (!centers || width !== frame.width) {
      width = frame.width;
      centers = marks().map((mark) => {
        const box = mark.getBoundingClientRect();
        return { mark, left: box.left - frame.left, right: box.right - frame.left,
          top: box.top - frame.top, bottom: box.bottom - frame.top };
      });
    }
    return { frame, centers };
  }
  function hold(mark) {
    for (const other of svg.querySelectorAll("[tabindex]:not([data-legend])")) {
      other.setAttribute("tabindex", "-1");
    }
    mark.setAttribute("tabindex", "0");
  }
  return {
    svg, prepare, marks, hold,
    changed() {
      centers = undefined;
      if (!all) return;
      const held = all.find((mark) => mark.getAttribute("tabindex") === "0");
      if (held && !shown(held) && marks().length) hold(marks()[0]);
    },
    at(event, near) {
      prepare();
      const own = event.target.closest("[role='img'][aria-label]");
      if (own && all.includes(own)) return own;
      const { frame, centers } = places();
      const x = event.clientX - frame.left, y = event.clientY - frame.top;
      let best = null, least = near;
      for (const { mark, left, right, top, bottom } of centers) {
        const away = Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
        if (away > 0 && away < least || away === 0 && right - left < 2 * near && bottom - top < 2 * near) {
          least = away;
          best = mark;
        }
      }
      return best;
    },
    next(mark, key) {
      if (!all) return null;
      const list = marks(), from = list.indexOf(mark), last = list.length - 1;
      if (from < 0) return null;
      const to = { ArrowRight: from + 1, ArrowDown: from + 1, ArrowLeft: from - 1, ArrowUp: from - 1,
        PageDown: from + STEP, PageUp: from - STEP, Home: 0, End: last }[key];
      return to === undefined ? null : list[Math.max(0, Math.min(last, to))];
    },
  };
}
})();`;
