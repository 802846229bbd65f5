import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { StartError } from '../src/lib/errors.ts';
import { commandOf } from './processes.ts';

/**
 * Locks the data folder for this process. Returns how to unlock it; the lock of a killed process no longer counts.
 * Throws {@link StartError} naming the process that has it.
 */
export function takeStartLock(file: string): () => void {
  const holder = runningStart(file);
  if (holder !== undefined && holder !== process.pid) {
    throw new StartError(`Forenoon is already running here (process ${holder}). Stop that one first, or use it.`);
  }
  rmSync(file, { force: true });
  try {
    // Fails when another start took it in the meantime.
    writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch {
    throw new StartError('Another start of Forenoon came first. Use that one.');
  }
  return () => rmSync(file, { force: true });
}

/** The process that holds this lock. */
export function runningStart(file: string): number | undefined {
  const holder = readHolder(file);
  return holder && commandOf(holder).includes('start.ts') ? holder : undefined;
}

function readHolder(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}
