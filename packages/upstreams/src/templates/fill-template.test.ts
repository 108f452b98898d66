import type { Json, JsonObject } from '@mediagate/contracts';
import { fillTemplate } from './fill-template';
import { viewRequest } from './request-view';
import type { Form, Part } from './template';

const output = { image: '/url' };
const form = (input: Record<string, Part>, more: Partial<Form> = {}): Form => ({
  endpoint: 'a/b',
  input,
  output,
  ...more,
});
const fill = (request: JsonObject, ...forms: Form[]) => fillTemplate(forms, viewRequest(request, []));

function inputOf(request: JsonObject, input: Record<string, Part>, accepts: Form['accepts'] = {}): JsonObject | string {
  const filled = fill(request, form(input, { accepts }));
  return filled.ok ? filled.input : filled.lack.message.key;
}

describe('a value of the vendor’s input', () => {
  it.each<[string, JsonObject, Part, Json | undefined]>([
    ['from the request', { a: 5 }, { from: '/a' }, 5],
    ['deep within it', { a: { 'b/c': [1, 2] } }, { from: '/a' }, { 'b/c': [1, 2] }],
    ['left out where it has none', {}, { from: '/a' }, undefined],
    ['by default', {}, { from: '/a', default: 'x' }, 'x'],
    ['renamed', { a: '720p' }, { from: '/a', values: { '720p': 'HD' } }, 'HD'],
    ['renamed by a number', { a: 5 }, { from: '/a', values: { 5: '6' } }, '6'],
    ['of a choice', { a: 'x' }, { from: '/a', values: ['x', 'y'] }, 'x'],
    ['as text', { a: 5 }, { from: '/a', as: 'text' }, '5'],
    ['as a number', { a: '5' }, { from: '/a', as: 'number' }, 5],
    ['in milliseconds', { a: 5 }, { from: '/a', max: 10, times: 1000 }, 5000],
    ['as a number of frames', { a: 5 }, { from: '/a', times: 16, plus: 1 }, 81],
    ['without what binary fractions leave over', { a: 3 }, { from: '/a', times: 0.1 }, 0.3],
    ['calculated, then as text', { a: 5 }, { from: '/a', times: 1000, as: 'text' }, '5000'],
    ['a text as a number, then calculated', { a: '8' }, { from: '/a', as: 'number', times: 1000 }, 8000],
    ['a text that is no number, as it is', { a: 'x' }, { from: '/a', times: 2 }, 'x'],
    ['as it stands', {}, 'fixed', 'fixed'],
    ['a map as it stands', {}, { literal: { from: 'here' } }, { from: 'here' }],
    ['a list of values, without those that are absent', { a: 1 }, [{ from: '/a' }, { from: '/b' }], [1]],
    ['a map of nothing, left out', {}, { x: { from: '/a' } }, undefined],
    ['the first that is there', { b: 2 }, { first_of: [{ from: '/a' }, { from: '/b' }] }, 2],
    ['the first within its bounds', { a: 9 }, { first_of: [{ from: '/a', max: 5 }, { x: { from: '/a' } }] }, { x: 9 }],
  ])('%s', (_, request, part, value) => {
    expect(inputOf(request, { field: part })).toEqual(value === undefined ? {} : { field: value });
  });
});

describe('what a form cannot say', () => {
  it.each<[string, JsonObject, Part, string]>([
    [
      'another value than those of a choice',
      { resolution: '4k' },
      { from: '/resolution', values: ['720p'] },
      'takes_no_resolution',
    ],
    ['another value than those of a map', { seconds: 7 }, { from: '/seconds', values: { 5: '6' } }, 'takes_no_length'],
    ['a number out of bounds', { seconds: 20 }, { from: '/seconds', max: 10 }, 'takes_no_length'],
    ['more than so many', { a: [1, 2] }, { from: '/a', max_items: 1 }, 'takes_items'],
    ['a text too long', { a: 'xxx' }, { from: '/a', max_characters: 2 }, 'takes_characters'],
    ['a request without what it needs', {}, { from: '/a', required: true }, 'no_such_operation'],
    ['what it does not name', { seed: 1 }, 'fixed', 'takes_no_seeds'],
    ['a part that it does not name', { a: 1 }, 'fixed', 'takes_no_such_field'],
    ['what is not in the list of what need not be said', { audio: true }, 'fixed', 'takes_no_sound_track'],
    ['a field of objects that only looks like one', {}, { from: '/constructor', required: true }, 'no_such_operation'],
  ])('%s', (_, request, part, key) => {
    expect(inputOf(request, { field: part }, { '/audio': [false] })).toBe(key);
  });
});

describe('the body of a model that the configuration describes', () => {
  const body = { prompt: 'p', size: { width: 5 }, urls: ['https://a.example/1.png'], speed: 'fast' };
  it('is taken as a whole, or by its fields, none of which is left out', () => {
    expect(fill({ body }, { ...form({}), input: { from: '/body' } })).toMatchObject({ ok: true, input: body });
    const by = { text: { from: '/body/prompt' }, w: { from: '/body/size/width' }, image: { from: '/body/urls/0' } };
    expect(inputOf({ body }, by, { '/body/speed': ['fast'] })).toEqual({ text: 'p', w: 5, image: body.urls[0] });
    expect(fill({ body }, form(by))).toMatchObject({ ok: false, lack: { part: 'speed' } });
  });
});

it('the first form that says all is sent; where none does, what the nearest one lacks is said', () => {
  const text = { ...form({ prompt: { from: '/prompt' } }), endpoint: 'text' };
  const image = { ...form({ prompt: { from: '/prompt' }, url: { from: '/inputs/first_frame/0' } }), endpoint: 'image' };
  const inputs = [{ role: 'first_frame', url: 'https://a.example/1.png' }];
  expect(fill({ prompt: 'p' }, text, image)).toMatchObject({ ok: true, form: { endpoint: 'text' } });
  expect(fill({ prompt: 'p', inputs }, text, image)).toMatchObject({
    form: { endpoint: 'image' },
    input: { prompt: 'p' },
  });
  expect(fill({ prompt: 'p', inputs, seed: 1, n: 9 }, text, image)).toMatchObject({ lack: { part: 'seed' } });
});
