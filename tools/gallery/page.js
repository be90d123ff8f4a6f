const search = document.querySelector("#search");
search?.addEventListener("input", () => {
  const words = search.value.toLowerCase().split(/\s+/);
  let shownCount = 0;
  for (const card of document.querySelectorAll("[data-name]")) {
    const name = card.dataset.name.toLowerCase();
    card.hidden = !words.every((word) => name.includes(word));
    if (!card.hidden) shownCount += 1;
  }
  for (const section of document.querySelectorAll("main > section")) {
    section.hidden = section.querySelector("[data-name]:not([hidden])") === null;
  }
  document.querySelector("#none").hidden = shownCount > 0;
});

const unfold = document.querySelector("#unfold");
unfold?.addEventListener("click", () => {
  const opened = unfold.getAttribute("aria-pressed") !== "true";
  for (const code of document.querySelectorAll("details.code")) code.open = opened;
  unfold.setAttribute("aria-pressed", String(opened));
});
