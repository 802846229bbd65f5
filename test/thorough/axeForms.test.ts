import { judgeScenes } from '../browser/axe.ts';
import { DECIDING_SCENES } from '../browser/scenes.ts';

judgeScenes('Every page where something is decided', DECIDING_SCENES);
