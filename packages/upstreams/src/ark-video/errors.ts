import { arkErrors } from '../ark-images/errors';
import type { ErrorDialect } from '../error-dialect';
import { object, text } from '../json-guards';

/** Videos come from the same platform as images: one dialect, with the fields of videos. */
export const arkVideoErrors: ErrorDialect = {
  ...arkErrors,
  fields: {
    text: 'prompt',
    content: 'prompt',
    ratio: 'aspect_ratio',
    resolution: 'resolution',
    duration: 'duration',
    seed: 'seed',
    watermark: 'watermark',
    generate_audio: 'audio',
  },
  own: ['model', 'callback_url'],
};

/** In an answer about a task the error is the task's own, beside its status; only without one is the question refused. */
export const arkTaskErrors: ErrorDialect = {
  ...arkVideoErrors,
  read: (body, status) => (text(object(body)['status']) === undefined ? arkVideoErrors.read(body, status) : undefined),
};
