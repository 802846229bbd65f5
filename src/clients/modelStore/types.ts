/** A model on this machine's disk. */
export type StoredModel = {
  name: string;
  bytes: number;
};

/** Progress over all files of a download that are known so far. */
export type Progress = { doneBytes: number; totalBytes: number };

/**
 * The program on this machine that keeps and runs models. Only loopback: it is told to download things. What fails
 * throws ClientError: `MODEL_STORE_SILENT` (temporary), `DISK_FULL`, `UNKNOWN_MODEL` and `MODEL_REFUSED` (permanent).
 */
export type ModelStore = {
  name: string;
  /** Where its models answer, up to and with `/v1`. */
  apiUrl: string;
  /** The models that write and that run here; undefined where it doesn't answer. Never throws. */
  list(): Promise<StoredModel[] | undefined>;
  /** Downloads what is not there yet. Aborting throws the signal's reason; what was downloaded stays. */
  download(name: string, how: { onProgress: (progress: Progress) => void; signal: AbortSignal }): Promise<void>;
  /** The model, or a variant made for it, that reads as many tokens at once, or as many as it was trained on. */
  withContext(name: string, tokens: number, signal: AbortSignal): Promise<string>;
};

/** The machine that the model store runs on. */
export type Machine = {
  platform: NodeJS.Platform;
  memoryBytes: number;
  /** On the disk that models go to; undefined where that can't be told. */
  freeDiskBytes(): Promise<number | undefined>;
};
