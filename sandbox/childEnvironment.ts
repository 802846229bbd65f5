import { delimiter, dirname } from 'node:path';

/**
 * What the children see: what is kept from earlier starts, over it what the person set, over that what this start
 * decided. A variable set to nothing counts as not set.
 */
export function childEnvironment(
  kept: Record<string, string>,
  own: NodeJS.ProcessEnv,
  decided: Record<string, string>,
): NodeJS.ProcessEnv {
  const set = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== ''));
  // Where the Procfile says node, it is to be the one running this.
  const path = [dirname(process.execPath), own.PATH].filter(Boolean).join(delimiter);
  return { ...kept, ...set, ...decided, NODE_ENV: 'development', PATH: path };
}
