import type { Scene } from './scene.ts';

/** Questions with and without an answer, and briefs. */
export const askScenes: Scene[] = [
  { name: 'Brief', path: async stage => `/brief/${await stage.conversation('Farid')}` },
  { name: 'Brief, right to left', path: async stage => `/brief/${await stage.conversation('نور')}` },
  { name: 'Ask', path: '/ask' },
  { name: 'Ask, answered', path: '/ask?q=What+did+Farid+say%3F' },
];
