import { textsOf } from '../../texts/texts.ts';
import type en from './locales/en.json';

export const say = textsOf<keyof typeof en>('pages/origin');
