const found: string[] = [];

/** Remembers what an answer under /api did against the description, for the test that caused it. */
export function tellOffence(offence: string): void {
  found.push(offence);
}

/** Throws when there was one since it was last asked. */
export function raiseOffences(): void {
  const offences = found.splice(0);
  if (offences.length > 0) throw new Error(`against the API description:\n${offences.join('\n')}`);
}
