import { COUNT, HEAD, HEADS, SLOTS, slotsAround, slotsOf, wordsOfDay } from '/work/trees/reader/src/clients/summarizer/reader/features.ts';
import { asRead, readDays, type LabelledDay } from '/work/trees/reader/training/data.ts';
import { fit, sumInto, type Options } from '/work/trees/reader/training/learn.ts';
export function labelsOf(d: LabelledDay): Float32Array[] {
  const n = d.messages.length; const has = (g: number[][] | null, i: number) => g === null ? NaN : Number(g.some(x => x.includes(i)));
  return d.messages.map((m, i) => { const l = new Float32Array(COUNT).fill(NaN);
    l[HEAD.binds] = has(d.items.map(x => x.on), i);
    l[HEAD.asked] = has(d.settled && d.settled.map(s => s.asked), i); l[HEAD.settles] = has(d.settled && d.settled.map(s => s.by), i);
    l[HEAD.essential] = has(d.essential, i); l[HEAD.matters] = d.essential && d.useful ? has([...d.essential, ...d.useful], i) : NaN;
    l[HEAD.waits] = d.waits ? Number(d.waits.includes(i)) : d.waiting === false ? 0 : NaN;
    const item = d.items.find(x => x.on.includes(i)); if (item && item.who) l[HEAD.self] = Number(item.who === m[1]);
    l[HEAD.urgent] = d.urgency === 'high' ? 1 : 0; l[HEAD.tense] = d.sentiment === 'negative' || d.sentiment === 'mixed' ? 1 : 0;
    return l; });
}
const t0 = process.cpuUsage();
const cpu = () => ((process.cpuUsage().user - t0.user) / 1e6).toFixed(1);
const days = readDays(); const K = 4;
const hands = [...new Set(days.map(d => d.hand))]; const fold = days.map(d => hands.indexOf(d.hand) % K);
const read = days.map(asRead); const rows = read.map(d => { const w = wordsOfDay(d); return d.messages.map((_, i) => slotsOf(d, w, i)); });
const labels = days.map(labelsOf);
console.log(days.length, 'days', rows.flat().length, 'messages', (rows.flat().reduce((a, b) => a + b.length, 0) / rows.flat().length).toFixed(0), 'features', cpu());
export function ap(scores: number[], truth: number[]) { const o = scores.map((s, i) => i).filter(i => truth[i] === truth[i]).sort((a, b) => scores[b]! - scores[a]!); let hit = 0, sum = 0; o.forEach((i, k) => { if (truth[i]! > .5) { hit++; sum += hit / (k + 1); } }); return sum / hit; }
function report(name: string, s: Float32Array[]) { console.log(name.padEnd(30), HEADS.map((h, k) => `${h} ${ap(s.flatMap(x => Array.from({ length: x.length / COUNT }, (_, i) => x[i * COUNT + k]!)), labels.flatMap(l => l.map(x => x[k]!))).toFixed(3)}`).join(' '), cpu()); }
const o: Options = { epochs: 6, rate: 0.05, decay: 1e-3, positives: 1.5, dropout: 0, seed: 0, ...JSON.parse(process.argv[2] ?? '{}') };
const o2: Options = { ...o, epochs: 8, ...JSON.parse(process.argv[3] ?? '{}') };
function cross(rows: Int32Array[][], o: Options, models: number) { const out = days.map((d) => new Float32Array(d.messages.length * COUNT));
  for (let m = 0; m < models; m++) for (let f = 0; f < K; f++) { const ex = days.flatMap((_, k) => fold[k] === f ? [] : rows[k]!.map((slots, i) => ({ slots, labels: labels[k]![i]! })));
    const w = fit(ex, SLOTS, COUNT, { ...o, seed: o.seed + m }); days.forEach((_, k) => { if (fold[k] === f) rows[k]!.forEach((x, i) => sumInto(out[k]!, w, x, COUNT, i * COUNT)); }); }
  for (const x of out) for (let i = 0; i < x.length; i++) x[i]! /= models; return out; }
const models = Number(process.argv[4] ?? 1);
const first = cross(rows, o, models); report('first', first);
if (process.argv[5] !== 'no') { const both = rows.map((r, k) => r.map((x, i) => Int32Array.from([...x, ...slotsAround(read[k]!, first[k]!, i)])));
const second = cross(both, o2, models); report('second', second); }
