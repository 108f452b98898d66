import { MARKS, UNMARKED } from '@mediagate/contracts';
import { choice, integer, list, map, optional, text } from './schema-parts';

/* The sections of the configuration file whose types follow from their schemas: a new field is written here, and nowhere else. */

const PORTS = list(integer({ minimum: 1, maximum: 65_535 }), {
  description: 'Ports that may be connected to.',
  default: [80, 443],
});
const CIDRS = list(text({ format: 'cidr', errorMessage: 'must be an address range, as 10.0.0.0/8 or fd00::/8' }), {
  description: 'Private addresses that may be connected to.',
  default: [],
});

export const WEBHOOKS = map('How callbacks are sent, and where they may go.', {
  retry_delays_seconds: list(integer({ minimum: 1, maximum: 604_800 }), {
    description:
      'Pauses after each failed attempt, before the next, a week each at most. Callers are promised the first three; append hours or days for receivers that are down for longer.',
    maxItems: 10,
    errorMessage: 'must have at most 10 delays',
    default: [10, 30, 60],
  }),
  timeout_seconds: integer({ minimum: 1, maximum: 60, default: 10 }, 'Of one attempt.'),
  allow_ports: PORTS,
  allow_private_cidrs: CIDRS,
  allow_origins: list(
    text({
      format: 'origin',
      errorMessage: 'must be scheme, host and port only, as http://127.0.0.1:9000, without a path or a trailing slash',
    }),
    { description: 'Exact origins, exempt from the rules on addresses and ports.', default: [] },
  ),
});

export const MEDIA = map(
  'Where files that callers and upstreams name may be fetched from, and how large they may be.',
  {
    allow_private_cidrs: CIDRS,
    allow_ports: PORTS,
    max_image_mb: integer(
      { minimum: 1, maximum: 50, default: 20 },
      'Of an image of a caller, in MiB; no vendor takes more than 50.',
    ),
    download_timeout_seconds: integer({ minimum: 1, maximum: 600, default: 60 }, 'Over one file of a caller.'),
    max_video_mb: integer(
      { minimum: 64, maximum: 4096, default: 512 },
      'Of a video that a vendor makes, in MiB: WORK_FOLDER_MB of the worker needs 1024 more, and as much again for each that comes in at once.',
    ),
    marks: choice(
      MARKS,
      'Whether results are marked as made by a model: `metadata` writes the digital source type of IPTC into files that do not have one, `signed` a manifest of C2PA, too.',
    ),
    unmarked: choice(
      UNMARKED,
      'With marks, a result that cannot be marked: `deliver` delivers it all the same, `fail` refunds the task.',
    ),
    fingerprints: choice(
      ['off', 'on'],
      'Whether the SHA-256 of each result, and hashes of what it shows or sounds like, are kept, so that a file can be compared with them.',
    ),
    fingerprint_days: integer({ minimum: 1, maximum: 3650, default: 365 }, 'How long fingerprints are kept.'),
  },
);

export const UPLOADS = map(
  'How much callers may upload: at once, until it expires, and in a day. In megabytes and files.',
  {
    per_account: optional(quota({ stored: 20_000, daily: 40_000 })),
    per_key: optional(quota({ stored: 5_000, daily: 10_000 })),
  },
);

function quota({ stored, daily }: { stored: number; daily: number }) {
  const limit = (fallback: number) => integer({ minimum: 0, maximum: 1_000_000_000, default: fallback });
  const fields = {
    stored_mb: limit(stored),
    stored_files: limit(stored),
    daily_mb: limit(daily),
    daily_files: limit(daily),
  };
  return map('', fields);
}
