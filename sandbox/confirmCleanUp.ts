import { runBeside } from './runBeside.ts';

/** `npm run confirm-clean-up`: lets a clean-up go on that waits because it would delete unusually much. */

await runBeside('confirmCleanUp.ts', () => undefined);
