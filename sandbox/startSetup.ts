import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { environmentOfChildren } from '../src/config.ts';
import type { OwnInstallation } from './ownInstallation.ts';
import { portFor } from './ports.ts';
import type { Starting } from './runService.ts';
import { takeStartLock } from './startLock.ts';

const STANDARD_PORT = 3000;

/**
 * The setup page, until it is done or Ctrl-C. Its process writes to this terminal alone: the address it prints opens the page
 * and must be in no log.
 */
export async function startSetup(own: OwnInstallation, env: NodeJS.ProcessEnv, starting: Starting): Promise<void> {
  const { terminal, stopping, root } = starting;
  await using started = new AsyncDisposableStack();
  started.defer(takeStartLock(join(own.folder, 'setup.pid')));
  const servicePort = Number(env.PORT) || STANDARD_PORT;
  const port = await portFor('the setup page', servicePort, terminal.say);
  const child = spawn(
    process.execPath,
    [join(root, 'src', 'setup.ts'), own.settingsFile, ...[port, servicePort].map(String)],
    {
      cwd: root,
      env: environmentOfChildren({ ...env, NODE_ENV: 'production', FORENOON_SUPERVISED: '1' }),
      stdio: ['pipe', 'inherit', 'inherit'],
      detached: true,
    },
  );
  child.stdin?.on('error', () => undefined);
  stopping.signal.addEventListener('abort', () => void child.kill('SIGTERM'));
  const [code] = await once(child, 'exit');
  process.exitCode = stopping.signal.aborted ? 0 : (code ?? 1);
}
