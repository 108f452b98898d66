import { readdirSync } from 'node:fs';
import path from 'node:path';
import { TASK_FAILURE_MESSAGES } from '@mediagate/contracts';
import { placeholdersOf } from './known-messages';
import { LANGUAGES } from './language';
import { readMessageFiles } from './message-files';

const files = readMessageFiles();
const translated = LANGUAGES.filter((language) => language !== 'en');

it('the platform’s own messages of failed tasks are all in the files, word for word', () => {
  expect(files.en).toMatchObject(TASK_FAILURE_MESSAGES);
});

it('there is a file for each language and no other', () => {
  const names = readdirSync(path.join(__dirname, 'message-files'));
  expect(names.sort()).toEqual(LANGUAGES.map((language) => `${language}.json`).sort());
});

it('no two messages are the same', () => {
  for (const language of LANGUAGES) {
    const texts = Object.values(files[language]);
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
  }
});

describe.each(translated)('%s', (language) => {
  it('has every message, and none too many, in the order of the English file', () => {
    expect(Object.keys(files[language])).toEqual(Object.keys(files.en));
  });

  it.each(Object.entries(files.en))('says %s in words of its own, with every name and figure once', (key, text) => {
    const translation = files[language][key] ?? '';
    expect(translation).toMatch(/\S/);
    expect(translation).toBe(translation.trim());
    expect(translation).not.toBe(text);
    expect(placeholdersOf(translation).sort()).toEqual(placeholdersOf(text).sort());
  });
});

it('languages with a script of their own are written in it', () => {
  const scripts = {
    zh: /\p{sc=Han}/u,
    ja: /[\p{sc=Hira}\p{sc=Kana}]/u,
    ko: /\p{sc=Hang}/u,
    ru: /\p{sc=Cyrl}/u,
  } as const;
  for (const language of ['zh', 'ja', 'ko', 'ru'] as const) {
    const strangers = Object.values(files[language]).filter((text) => !scripts[language].test(text));
    expect(strangers).toEqual([]);
  }
});
