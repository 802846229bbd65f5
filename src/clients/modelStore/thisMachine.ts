import { statfs } from 'node:fs/promises';
import { homedir, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Machine } from './types.ts';

/** Where Ollama keeps its models: as a service of Linux, else below its user's home. */
const PLACES = ['/usr/share/ollama', join(homedir(), '.ollama'), homedir()];

/** This machine, with the room of the first of these folders that exists. */
export function thisMachine(places: readonly string[] = PLACES): Machine {
  return {
    platform: process.platform,
    memoryBytes: totalmem(),
    async freeDiskBytes() {
      for (const place of places) {
        const disk = await statfs(place).catch(() => undefined);
        if (disk) return disk.bavail * disk.bsize;
      }
      return undefined;
    },
  };
}
