import { judgePages } from './axe.ts';
import { DECIDING_SCENES, READING_SCENES } from './scenes.ts';

judgePages('Every page', [...READING_SCENES, ...DECIDING_SCENES]);
