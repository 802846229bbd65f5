/** The time, as an argument, so that tests can set it. */
export type Clock = { now(): Date };

/** This process's own clock, which may be wrong: for tools beside the service. */
export const systemClock: Clock = { now: () => new Date() };

export function secondsBefore(clock: Clock, seconds: number): Date {
  return new Date(clock.now().getTime() - seconds * 1000);
}

export function secondsAfter(clock: Clock, seconds: number): Date {
  return secondsBefore(clock, -seconds);
}
