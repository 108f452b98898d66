import type { Operation } from '../../operation';
import { json, ref, wrapped } from '../../schemas/build';
import { FILE_OR_URL, ORIGIN_EXAMPLE } from '../provenance';

const OF_AN_ACCOUNT = { account_id: 'acct_01m7y2sj24fztvyr284w6jthg6' };
const EXAMPLE = {
  ...ORIGIN_EXAMPLE,
  results: ORIGIN_EXAMPLE.results.map((result) => ({ ...result, ...OF_AN_ACCOUNT })),
};

/** Questions about the origin of files, over all accounts. */
export const OPERATOR_PROVENANCE_OPERATIONS = {
  adminVerifyFile: {
    method: 'post',
    auth: 'operator',
    tag: 'Operators',
    role: 'support',
    path: '/admin/v1/provenance/verify',
    summary: 'Find out where a file comes from',
    description:
      'Like `POST /v1/provenance/verify`, but the file is compared with the results of all accounts, each with its account. The file is not kept; the audit log has its SHA-256, and the tasks that were found.',
    body: FILE_OR_URL,
    answers: {
      200: {
        description: 'What was found.',
        content: json(wrapped(ref('AnyFileOrigin')), { code: 200, data: EXAMPLE }),
      },
    },
    refusals: [413],
  },
} satisfies Record<string, Operation>;
