import type { Scene } from './scene.ts';
import { PEOPLE } from './stage.ts';

/** Questions with and without an answer, and briefs. */
export const askScenes: Scene[] = [
  { name: 'Brief', path: async stage => `/brief/${await stage.conversation('Farid')}` },
  { name: 'Brief, right to left', path: async stage => `/brief/${await stage.conversation('نور')}` },
  { name: 'Brief, quiet', path: async stage => `/brief/${await stage.conversation('Hanna')}` },
  { name: 'Ask', path: '/ask' },
  { name: 'Ask, none yet', who: PEOPLE.newcomer, path: '/ask' },
  { name: 'Ask, answered', path: '/ask?q=What+did+Farid+say%3F' },
  { name: 'Ask, no answer', path: '/ask?q=What+about+the+helicopter%3F' },
];
