import { judgeScenes } from '../browser/axe.ts';
import { READING_SCENES } from '../browser/scenes.ts';

judgeScenes('Every page that is read', READING_SCENES);
