import { connect } from "orderlens";
import { openSandbox } from "orderlens/sandbox";
import { watchOrders, type WatchState } from "./lib/reports/mod.ts";
async function run(faults: boolean, kill: number, reports = true) {
const sandbox = await openSandbox({ seed: 5, auctions: 20, clock: "virtual" });
const book = connect(sandbox);
if (!reports) { const d = book.debugReport.bind(book); const e = sandbox.fetch; }
const owner = sandbox.description.accounts[2]!;
if (faults) { sandbox.fault({kind:"serverError", rate:0.1}); sandbox.fault({kind:"truncated", rate:0.05}); sandbox.fault({kind:"shiftedRows", rate:0.1}); sandbox.fault({kind:"reset", rate:0.05});}
const start = book.clock.now();
let state: WatchState|undefined; const got: any[]=[]; let problems=0;
const t0=performance.now();
let n=0;
while (book.clock.now() < start + 600_000) {
  const c = new AbortController();
  const w = watchOrders(book, { owner, ...(state?{state}:{}), save: (s)=>{state=structuredClone(s); if (book.clock.now() > start+600_000) c.abort();}, signal: c.signal, onProblem: (e)=>{problems++; if (problems<6) console.log(String(e.message).split("\n")[0], e.code, (book.clock.now()-start)/1000); if (book.clock.now() > start+600_000) c.abort();} });
  for await (const e of w) { got.push(e); n++; if (kill && n % kill === 0) { break; } }
}
const notes = (await connect(sandbox).notifications(owner)).filter((x:any)=>x.timestamp.epochMilliseconds>=start).reverse();
console.log(faults, kill, "events", got.length, "unique", new Set(got.map(e=>e.id)).size, "notes", notes.length, "problems", problems, Math.round(performance.now()-t0),"ms");
return {got, notes};
}
const lim=(r:any)=>{const last=r.got.at(-1).at; r.notes=r.notes.filter((n:any)=>n.timestamp.toString()<=last); return r}; const a = lim(await run(false,0)); const b = await run(false,3); const c = await run(true,5);
const key=(x:any[])=>{const s=new Set<string>(); return x.filter(e=>!s.has(e.id)&&s.add(e.id)).map(e=>e.type+e.orderUid.slice(0,8)+e.at)};
const nk = (x:any[])=>x.map(e=>e.type+e.metadata.orderUid.slice(0,8)+e.timestamp.toString());
const eq=(p:any[],q:any[])=>{let i=0; while(i<p.length&&i<q.length&&p[i]===q[i])i++; return [p.length,q.length,i,p[i],q[i]]};
console.log(eq(key(a.got),nk(a.notes)), eq(key(a.got),key(b.got)), eq(key(a.got),key(c.got)));
const types: any={}; for (const e of a.got) types[e.type]=(types[e.type]??0)+1; console.log(types); console.log(a.got[0], a.got.find(e=>e.type==="price_improvement"));
