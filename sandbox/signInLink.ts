import { StartError } from '../src/lib/errors.ts';
import { runBeside } from './runBeside.ts';

/*
 * `npm run sign-in-link`: a link for the owner, of the installation that `npm start` runs in this checkout, else of the one
 * that the environment describes.
 */

await runBeside('signInLink.ts', env => {
  if (env.OWNER_EMAIL) return;
  throw new StartError('A link is for an installation of your own: npm start -- --setup. The demo needs none.');
});
