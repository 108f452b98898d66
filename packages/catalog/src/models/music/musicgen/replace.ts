import { defineModel } from '../../../define-model';
import { fieldsOf } from '../../../fields-of';
import { given } from '../../../given';
import { range, sourceTrack, tags, text, title, version } from '../../../music/fields';
import { musicOperation } from '../../../music/operation';
import { boundTrack, onTrack } from '../../../music/source-track';
import { rangeRises, rangeWithin } from '../../../music/times';

export default defineModel({
  ...musicOperation('replace', { versioned: true }),
  route: { paths: ['/v1/music/generations/replace'], summary: 'Replace a part of a track' },
  input: fieldsOf(['task_id', 'start_s', 'end_s'], {
    ...sourceTrack,
    ...range,
    version: version('v5.5'),
    infill_lyrics: text(5000, 'Lyrics of the new part.'),
    prompt: text(3000, 'What the new part should be.'),
    tags,
    title,
  }),
  rules: [rangeRises],
  ...onTrack(rangeWithin),
  media: () => [],
  request: (input) => ({
    operation: 'replace',
    ...boundTrack(input),
    version: input.version,
    start: input.start_s,
    end: input.end_s,
    ...given({
      infillLyrics: input.infill_lyrics,
      prompt: input.prompt,
      tags: input.tags,
      title: input.title,
    }),
  }),
  examples: [
    { task_id: 'task_01m7y2sj24fztvyr284w6jthg6', start_s: 12.5, end_s: 20, infill_lyrics: 'And the gulls come home' },
  ],
});
