import { differencesOf } from '../web/src/pages/log/differences';

it('names the innermost fields that differ, and none that is the same or nothing on both sides', () => {
  const before = { name: 'Kim', limits: { per_minute: 5, at_once: null }, families: ['image'] };
  const after = { name: 'Kim', limits: { per_minute: 9, at_once: null }, families: ['image', 'tts'], ended: null };
  expect(differencesOf(before, after)).toEqual([
    { field: 'limits.per_minute', before: '5', after: '9' },
    { field: 'families', before: '["image"]', after: '["image","tts"]' },
  ]);
});

it('names all fields of what is new, and of what is gone', () => {
  expect(differencesOf(null, { id: 'a' })).toEqual([{ field: 'id', before: undefined, after: 'a' }]);
  expect(differencesOf({ id: 'a' }, null)).toEqual([{ field: 'id', before: 'a', after: undefined }]);
});
