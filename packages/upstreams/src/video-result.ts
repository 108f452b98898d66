import type { Done, Output, Refused } from '@mediagate/contracts';
import { decimal, decimalText, httpUrl, present } from './json-guards';
import { refused, unreadable } from './vendor-call';

/** The vendor's facts about a video beside its link. */
interface Reported {
  seconds?: unknown;
  /** The job's cost, in the vendor's own credits. */
  credits?: unknown;
  keepSeconds?: number | undefined;
  /** Its second link to the video. */
  backup?: unknown;
  /** The link is given to the channel's key alone. */
  needsKey?: true;
}

/** The one video of a job that has ended well; without a link that can be followed it is asked about again. */
export function doneWith(link: unknown, reported: Reported): Done | Refused {
  const { seconds, keepSeconds, backup, needsKey } = reported;
  const credits = decimalText(reported.credits);
  const [url, backupUrl] = [httpUrl(link), httpUrl(backup)].filter((found) => found !== undefined);
  if (url === undefined) return refused(unreadable('no link to the video', credits));
  const length = decimal(seconds);
  return present<Done>({
    kind: 'done',
    outputs: [
      present<Output>({
        role: 'video',
        contentType: 'video/mp4',
        url,
        backupUrl,
        needsKey,
        bytes: undefined,
        keepSeconds,
      }),
    ],
    // Whole frames and sound packets make a video some hundredths longer than what was asked for and is charged.
    usage: length === undefined ? {} : { seconds: Math.round(length) },
    credits,
  });
}
