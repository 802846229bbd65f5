/** Tokens that a model is to read at once: enough for most days of a conversation. */
export const CONTEXT_TOKENS = 16_384;

/** Left free on the disk, in bytes. */
const SPARE_DISK = 2_000_000_000;

const OFFERED = ['qwen3:4b-instruct', 'mistral-nemo:12b', 'qwen3:30b-instruct'] as const;
type Offered = (typeof OFFERED)[number];

/** In bytes. `memory`: the file, what so long a context takes, and some room; computed, not measured. */
type About = { download: number; memory: number; license: string };

const GB = 1_000_000_000;
const ABOUT: Record<Offered, About> = {
  'qwen3:4b-instruct': { download: 2.5 * GB, memory: 6 * GB, license: 'Apache License 2.0' },
  'mistral-nemo:12b': { download: 7.1 * GB, memory: 11 * GB, license: 'Apache License 2.0' },
  'qwen3:30b-instruct': { download: 19 * GB, memory: 22 * GB, license: 'Apache License 2.0' },
};

/** `hasMemory` and `hasDisk`: as far as this machine tells. */
export type Offer = About & { model: string; hasMemory: boolean; hasDisk: boolean };

/** The models that may be downloaded from the page, the smallest first. */
export function listOffers(machine: { memoryBytes: number; freeDiskBytes: number | undefined }): Offer[] {
  return OFFERED.map(model => {
    const about = ABOUT[model];
    const hasDisk = (machine.freeDiskBytes ?? Number.POSITIVE_INFINITY) >= about.download + SPARE_DISK;
    return { model, ...about, hasMemory: machine.memoryBytes >= about.memory, hasDisk };
  });
}
