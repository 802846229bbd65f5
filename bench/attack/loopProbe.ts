import { existsSync, writeFileSync } from 'node:fs';

/*
 * Loaded into a worker with --import: notes how long its event loop was held at most, in the thread's own time, which
 * other processes on the machine don't change.
 */

const EVERY_MS = 10;
const file = process.env.LOOP_FILE;
let before = process.threadCpuUsage();
let longest = 0;
/** Measuring begins on a signal, since loading the worker holds the event loop, too. */
let isAttacked = false;

setInterval(() => {
  const now = process.threadCpuUsage();
  const held = (now.user + now.system - before.user - before.system) / 1000;
  before = now;
  if (!file) return;
  if (!isAttacked) {
    isAttacked = existsSync(`${file}-begins`);
    return;
  }
  if (held <= longest) return;
  longest = held;
  writeFileSync(`${file}.${process.pid}`, String(Math.round(held)));
}, EVERY_MS).unref();
