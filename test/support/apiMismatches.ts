const found: string[] = [];

/** Records an answer that differs from its description, for the test that caused it. */
export function recordMismatch(offence: string): void {
  found.push(offence);
}

/** Throws if one was recorded since the last call. */
export function throwOnMismatch(): void {
  const offences = found.splice(0);
  if (offences.length > 0)
    throw new Error(`wrong answers (against the API description, or with values missing):\n${offences.join('\n')}`);
}
