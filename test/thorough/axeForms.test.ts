import { judgeScenes } from './axe.ts';
import { DECIDING_SCENES } from './scenes.ts';

judgeScenes('Every page where something is decided', DECIDING_SCENES);
