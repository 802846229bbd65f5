import { judgeScenes } from './axe.ts';
import { SCENES } from './scenes.ts';

judgeScenes('Every page', SCENES);
