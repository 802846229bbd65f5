/**
 * A model's recorded answers sent through the AI summarizer: what of them is kept, changed and dropped.
 * `node bench/replay/index.ts [FOLDER]`, where FOLDER holds `prompts/NAME.txt` and `answers/NAME.json`. Fails when
 * something right is lost or a number of a summary is in no message.
 */
import { fileURLToPath } from 'node:url';
import { createOpenAiSummarizer } from '../../src/clients/summarizer/openai.ts';
import { startAiSandbox } from '../../test/support/ai/server.ts';
import { differencesOf } from './compare.ts';
import { readRecordings } from './recordings.ts';

const folder = process.argv[2] ?? fileURLToPath(new URL('../../../shared/data/model-answers', import.meta.url));
const recordings = readRecordings(folder);
const print = (line: string) => process.stdout.write(`${line}\n`);

if (!recordings) print(`No recorded answers in ${folder}: nothing to replay.`);
else {
  const ai = await startAiSandbox();
  const counted = { items: 0, meetings: 0, differences: 0, losses: 0 };
  for (const recording of recordings) {
    ai.script(() => recording.text);
    const reports: string[] = [];
    const report = ({ code, message }: { code: string; message: string }) => void reports.push(`${code}: ${message}`);
    const summarizer = createOpenAiSummarizer({ apiKey: 'none', model: 'recorded', apiUrl: ai.url, report });
    const found = await differencesOf(recording, await summarizer.summarize(recording.request));
    counted.items += recording.answer.actionItems.length;
    counted.meetings += recording.answer.meetings.length;
    counted.differences += found.length;
    counted.losses += found.filter(({ isLoss }) => isLoss).length;
    if (found.length + reports.length > 0) print(`${recording.name} (${recording.request.peerName})`);
    for (const { what, isLoss } of found) print(`  ${isLoss ? 'LOST' : 'mended'}  ${what}`);
    for (const message of reports) print(`  reported  ${message}`);
  }
  await ai.stop();
  const { items, meetings, differences, losses } = counted;
  print(
    `${recordings.length} answers, ${items} items, ${meetings} meetings: ${differences} differences, ${losses} lost.`,
  );
  process.exitCode = losses > 0 ? 1 : 0;
}
