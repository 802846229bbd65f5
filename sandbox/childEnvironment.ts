import { environmentOfChildren } from '../src/config.ts';

/**
 * The environment of the child processes: values kept from earlier starts, overridden by what the person set and then
 * by what this start decided. An empty variable counts as not set.
 */
export function childEnvironment(
  kept: Record<string, string>,
  own: NodeJS.ProcessEnv,
  decided: Record<string, string>,
): NodeJS.ProcessEnv {
  const set = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== ''));
  return environmentOfChildren({ ...kept, ...set, ...decided, NODE_ENV: 'development' });
}
