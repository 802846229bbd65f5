import { spawn, spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import getPort from 'get-port';

/** Starts a Redis without persistence; undefined where none is installed. */
export async function startRedis(folder: string): Promise<{ url: string; stop(): void } | undefined> {
  if (spawnSync('redis-server', ['--version']).status !== 0) return undefined;
  const port = await getPort({ host: '127.0.0.1' });
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  const child = spawn('redis-server', options, { stdio: 'ignore' });
  process.once('exit', () => child.kill('SIGKILL'));
  for (let asked = 0; asked < 200 && !(await isListening(port)); asked++) await sleep(50);
  return { url: `redis://127.0.0.1:${port}`, stop: () => child.kill('SIGKILL') };
}

function isListening(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
