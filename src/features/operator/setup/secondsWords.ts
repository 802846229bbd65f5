/** `0.4 s`. Never 0.0. */
export function secondsWords(seconds: number): string {
  return `${seconds < 10 ? Math.max(0.1, seconds).toFixed(1) : Math.round(seconds)} s`;
}
