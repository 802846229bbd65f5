import type { DemoClock } from './demoClock.ts';
import type { Arrival } from './overview.ts';
import type { RunningService } from './runService.ts';
import { untilReady } from './untilReady.ts';

/** The demo once it runs. */
type RunningDemo = {
  children: Pick<RunningService, 'whileStopped'>;
  databaseUrl: string;
  appUrl: string;
  /** Settled when the first run is over, which a new day would interrupt. */
  firstRun: Promise<void>;
  signal: AbortSignal;
};

export type NewDays = {
  /** A day later for the whole demo, with the messages that arrived by then. Days are simulated one after another. */
  simulate(worldKey: string): Promise<Arrival>;
  /** To be called once: until then a new day waits. */
  follow(demo: RunningDemo): void;
};

/**
 * @param clock undefined where one of the servers is not the demo's own, whose clock cannot be moved: messages
 * arrive, and the day stays
 */
export function createNewDays(clock: DemoClock | undefined, arrive: (worldKey: string) => Arrival): NewDays {
  const running = Promise.withResolvers<RunningDemo>();
  let last: Promise<unknown> = Promise.resolve();

  async function next(worldKey: string): Promise<Arrival> {
    const { children, databaseUrl, appUrl, firstRun, signal } = await running.promise;
    if (!clock) return arrive(worldKey);
    await firstRun;
    const arrival = await children.whileStopped(async () => {
      await clock.nextDay(databaseUrl);
      return arrive(worldKey);
    });
    await untilReady(appUrl, signal);
    return arrival;
  }

  return {
    async simulate(worldKey) {
      const day = last.then(() => next(worldKey));
      last = day.catch(() => undefined);
      return await day;
    },
    follow: running.resolve,
  };
}
