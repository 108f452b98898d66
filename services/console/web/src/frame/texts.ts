import { textsOf } from '../texts/texts.ts';
import type en from './locales/en.json';

/** Texts of the frame and of the parts that all pages share. They are there before anything is shown. */
export const say = textsOf<keyof typeof en>('frame');
