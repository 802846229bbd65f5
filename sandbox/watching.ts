import { watch } from 'node:fs';

const QUIET_MS = 200;

/** Calls back once a burst of changes under these folders is over. Returns how to end it. */
export function watchFolders(folders: string[], changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const watchers = folders.map(folder =>
    watch(folder, { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(changed, QUIET_MS);
    }),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
