import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Lays out what a platform has after `npm ci --omit=dev`: the product, and of the packages only those that the lockfile
 * counts as production's.
 */
export function layProductionCheckout(folder: string): void {
  for (const name of ['src', 'sandbox', 'migrations', 'views', 'public', 'Procfile', 'package.json']) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  }
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const isProduction = ([path, about]: [string, { dev?: boolean; devOptional?: boolean }]) =>
    path !== '' && !about.dev && !about.devOptional;
  const wanted = (Object.entries(packages) as [string, object][]).filter(isProduction).map(([path]) => path);
  const topLevel = wanted.filter(path => !path.slice('node_modules/'.length).includes('/node_modules/'));
  for (const path of topLevel) copyPackage(path, folder);
}

/** Hard links where they can be made: a copy takes seconds. One that is not installed is for another platform. */
function copyPackage(path: string, folder: string): void {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  for (const how of ['-al', '-a']) {
    try {
      execFileSync('cp', [how, join(ROOT, path), target], { stdio: 'ignore' });
      return;
    } catch {
      // Another file system, or not installed. What there is of it would become the folder that the next copy goes into.
      rmSync(target, { recursive: true, force: true });
    }
  }
}
