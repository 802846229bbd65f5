/** A model on this machine's disk. */
export type StoredModel = { name: string; bytes: number };

/** Progress over all files of a download that are known so far. */
export type Progress = { doneBytes: number; totalBytes: number };

/**
 * The local program that stores and runs models. Loopback only, as it can be made to download. Throws ClientError:
 * `MODEL_STORE_SILENT` (temporary), `DISK_FULL`, `UNKNOWN_MODEL` and `MODEL_REFUSED` (permanent).
 */
export type ModelStore = {
  name: string;
  /** Base URL of the models, including `/v1`. */
  apiUrl: string;
  /** Text models that run on this machine; undefined if the program doesn't answer. Never throws. */
  list(): Promise<StoredModel[] | undefined>;
  /** Downloads missing parts. Aborting throws the signal's reason and keeps the downloaded parts. */
  download(name: string, how: { onProgress: (progress: Progress) => void; signal: AbortSignal }): Promise<void>;
  /** Returns the model, or a variant created from it, with a context of that many tokens or of its trained maximum. */
  ensureContext(name: string, tokens: number, signal: AbortSignal): Promise<string>;
};

export type Machine = {
  platform: NodeJS.Platform;
  memoryBytes: number;
  /** Free space on the model disk; undefined if unknown. */
  freeDiskBytes(): Promise<number | undefined>;
};
