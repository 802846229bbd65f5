import { judgeScenes } from './axe.ts';
import { READING_SCENES } from './scenes.ts';

judgeScenes('Every page that is read', READING_SCENES);
