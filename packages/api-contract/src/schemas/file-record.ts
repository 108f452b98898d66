import type { JsonObject } from '@mediagate/contracts';
import type { JsonSchema } from '../operation';
import { anyWord, integer, listOf, object, ref, string, unixSeconds } from './build';

const orNull = (type: 'integer' | 'number', description: string): JsonSchema => ({ type: [type, 'null'], description });

export const FILE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  FileRecord: object({
    id: string('Stands for the file wherever a submission of the account takes a URL.'),
    url: string('A link that needs no key, until `expires_at`.'),
    kind: anyWord(['image', 'audio', 'video', 'document']),
    content_type: string('Found from the bytes of the file, not from its name.'),
    bytes: integer(),
    width: orNull('integer', 'Pixels, of an image or video.'),
    height: orNull('integer', 'Pixels, of an image or video.'),
    duration: orNull('number', 'Seconds, of audio and video.'),
    pages: orNull('integer', 'Number of pages, where the document says it.'),
    created_at: unixSeconds('When it was sent'),
    expires_at: unixSeconds('When the file is removed'),
    'provenance?': object(
      { sources: listOf(ref('FileSource')) },
      'What the file states about its origin: in the answer to `POST /v1/files?include=provenance` alone.',
    ),
  }),
};

export const FILE_EXAMPLE: JsonObject = {
  id: 'file_01m7y2sj24fztvyr284w6jthg6',
  url: 'https://gateway.example/v1/files/01m7y2sj24fztvyr284w6jthg6.mp4?expires=1795780800&signature=c2lnbmF0dXJl',
  kind: 'video',
  content_type: 'video/mp4',
  bytes: 7340032,
  width: 1280,
  height: 720,
  duration: 5.04,
  pages: null,
  created_at: 1795521600,
  expires_at: 1795780800,
};
