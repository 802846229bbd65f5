import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Trouble } from './trouble.ts';

/**
 * Takes the data folder for this process. Returns how to give it back; a killed start gives it back by being gone.
 * Throws {@link Trouble} naming the process that has it.
 */
export function takeStartLock(file: string): () => void {
  const holder = readHolder(file);
  if (holder && holder !== process.pid && isStart(holder)) {
    throw new Trouble(`Forenoon is already running here (process ${holder}). Stop that one first, or use it.`);
  }
  rmSync(file, { force: true });
  try {
    // Fails when another start came between.
    writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch {
    throw new Trouble('Another start of Forenoon was quicker. Use that one.');
  }
  return () => rmSync(file, { force: true });
}

function readHolder(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

/** A number left over from before a restart of the machine may belong to anything by now. */
function isStart(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('start.ts');
  } catch {
    return process.platform !== 'linux';
  }
}
