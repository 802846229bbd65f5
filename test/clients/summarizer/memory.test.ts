import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BroadcastChannel } from 'node:worker_threads';
import { expect } from 'chai';
import { createThreadedSummarizer } from '../../../src/clients/summarizer/builtIn/inThread.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { type AiService, startAiService } from './aiService.ts';
import { conversation } from './conversations.ts';

const WATCHED = new URL('./threads/watched.ts', import.meta.url);
const MB = 1e6;
/** What may remain after a collection: compiled code, patterns and formats of the languages that came up. */
const [MOST_IN_PROCESS, MOST_IN_THREAD] = [8 * MB, 6 * MB];

const LATIN = [...'bdfgklmnprstvz'].flatMap(first => [...'aeiou'].map(second => first + second));
const SCRIPTS = {
  en: { syllables: LATIN, small: ['please', 'the', 'and', 'you'] },
  de: { syllables: LATIN, small: ['bitte', 'die', 'und', 'nicht'] },
  ru: {
    syllables: [...'бвгдзклмнпрст'].flatMap(a => [...'аеиоу'].map(b => a + b)),
    small: ['пожалуйста', 'и', 'не', 'я'],
  },
  ja: { syllables: [...'山川田中村本林森石水火木金土日月'], small: ['です', 'ます', 'の', 'は'] },
};
type Script = keyof typeof SCRIPTS;

let coined = 0;

function newWord({ syllables }: (typeof SCRIPTS)[Script]): string {
  let rest = (++coined * 48_271) % 24_010_000;
  let word = '';
  for (let n = 0; n < 4; n++) {
    word += syllables[rest % syllables.length];
    rest = Math.floor(rest / syllables.length);
  }
  return word;
}

/** Two messages of words that no one has written before. */
function newConversation(script: Script) {
  const { small } = SCRIPTS[script];
  const words = () =>
    Array.from({ length: 30 }, (_, n) => (n % 4 === 0 ? small[(n / 4) % small.length] : newWord(SCRIPTS[script])));
  return conversation([`Nadia: ${words().join(' ')}.`, `Sam: ${words().join(' ')}?`], { owner: `user ${coined % 50}` });
}

describe('Two thousand conversations of distinct words', () => {
  const channel = new BroadcastChannel('heap');
  const builtIn = createThreadedSummarizer({ clock: systemClock, file: WATCHED, dayMs: 1e9 });
  let service: AiService;
  let collect: () => void;

  before(async () => {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc');
    service = await startAiService({ builtIn });
  });
  after(async () => {
    channel.close();
    await builtIn.close();
    await service.stop();
  });

  async function heap() {
    collect();
    const ofProcess = process.memoryUsage().heapUsed;
    const measured = once(channel, 'message');
    channel.postMessage('measure');
    const [{ data: ofThread }] = (await measured) as [{ data: number }];
    return { ofProcess, ofThread };
  }

  it('leave nothing of them in memory, in any language, with and without a model', async function () {
    this.timeout(600_000);
    const scripts: Script[] = ['en', 'de', 'ru', 'ja'];
    const readSome = async (count: number) => {
      for (let n = 0; n < count; n++) {
        const request = newConversation(scripts[n % scripts.length] ?? 'en');
        const way = Math.floor(n / scripts.length) % 4;
        if (way === 0) await service.summarizer.summarize(request);
        else if (way === 1) await builtIn.readWaits(request);
        else await builtIn.summarize(request);
      }
      // The service on loopback keeps what it was sent.
      service.ai.requests().length = 0;
    };
    await readSome(100);
    const before = await heap();
    await readSome(2000);
    const after = await heap();
    expect(after.ofProcess - before.ofProcess).to.be.below(MOST_IN_PROCESS);
    expect(after.ofThread - before.ofThread).to.be.below(MOST_IN_THREAD);
  });
});
