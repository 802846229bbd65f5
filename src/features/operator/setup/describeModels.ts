import type { Machine } from '../../../clients/modelStore/types.ts';
import { countOf, sizeWords } from '../../../lib/words.ts';
import type { Work } from './createModelWork.ts';
import { describeTrial, type ShownTrial } from './describeTrial.ts';
import { describeWork, type ShownWork } from './describeWork.ts';
import { installLines } from './installLines.ts';
import { listOffers } from './listOffers.ts';
import type { Found } from './service.ts';

type About = {
  work: Work;
  /** Undefined while work is under way. */
  found: Found | undefined;
  machine: Pick<Machine, 'memoryBytes' | 'platform'>;
};

export type ShownModels = {
  isRunning: boolean;
  work: ShownWork | undefined;
  trial: ShownTrial | undefined;
  servers: {
    id: string;
    name: string;
    apiUrl: string;
    host: string;
    models: string[];
    count: string;
    isStore: boolean;
  }[];
  offers: { isFirst: boolean; room: string; rows: ShownOffer[] } | undefined;
  /** Only where nothing runs. */
  install: ReturnType<typeof installLines> | undefined;
};

type ShownOffer = { id: string; model: string; facts: string; warning: string; canChoose: boolean };

/** What the step about the writer shows of models: what is under way, what came of it, and what there is to choose from. */
export function describeModels({ work, found, machine }: About): ShownModels {
  const isRunning = work.state === 'running';
  const shown = {
    isRunning,
    work: work.state === 'none' || work.state === 'tried' ? undefined : describeWork(work),
    trial: work.state === 'tried' ? describeTrial(work) : undefined,
  };
  if (!found || isRunning) return { ...shown, servers: [], offers: undefined, install: undefined };
  const isNothing = found.servers.length === 0 && found.stored === undefined;
  return {
    ...shown,
    servers: found.servers.map(({ name, apiUrl, models }, index) => ({
      ...{ id: `found-${index + 1}`, name, apiUrl, models, host: new URL(apiUrl).host },
      count: countOf(models.length, 'model', 'models'),
      isStore: found.stored !== undefined && found.stored.length > 0 && index === 0,
    })),
    offers: found.stored && offersOf(found, found.stored, machine),
    install: isNothing ? installLines(machine.platform) : undefined,
  };
}

function offersOf({ freeDiskBytes }: Found, stored: { name: string }[], { memoryBytes }: About['machine']) {
  const names = new Set(stored.map(({ name }) => name));
  const offers = listOffers({ memoryBytes, freeDiskBytes }).filter(({ model }) => !names.has(model));
  if (offers.length === 0) return undefined;
  const free = freeDiskBytes === undefined ? '' : ` and ${sizeWords(freeDiskBytes)} free on its disk`;
  return {
    isFirst: stored.length === 0,
    room: `This machine has ${sizeWords(memoryBytes)} of memory${free}.`,
    rows: offers.map(({ model, download, memory, license, hasMemory, hasDisk }, index): ShownOffer => {
      const slow = hasMemory ? '' : 'More than this machine’s memory: it would be very slow, or not start.';
      return {
        id: index === 0 ? 'offer' : `offer-${index + 1}`,
        model,
        facts: `${sizeWords(download)} to download, about ${sizeWords(memory)} of memory, ${license}`,
        warning: hasDisk ? slow : 'Not enough room on the disk.',
        canChoose: hasDisk,
      };
    }),
  };
}
