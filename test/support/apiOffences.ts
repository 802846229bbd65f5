const found: string[] = [];

/** Remembers what is wrong with an answer, for the test that caused it. */
export function tellOffence(offence: string): void {
  found.push(offence);
}

/** Throws when there was one since it was last asked. */
export function raiseOffences(): void {
  const offences = found.splice(0);
  if (offences.length > 0)
    throw new Error(`wrong answers (against the API description, or with values missing):\n${offences.join('\n')}`);
}
