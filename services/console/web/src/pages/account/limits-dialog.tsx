import type { components } from '../../api/generated/api.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { fieldsOf, useForm } from '../../parts/fields.tsx';
import { ACCOUNT_VIEWS, type Account } from './queries.ts';
import { say } from './texts.ts';

type Body = components['schemas']['Bodies']['adminUpdateAccount'];
type Fields = Required<Omit<Body, 'reason' | 'marks' | 'unmarked'>> & { marks: string; unmarked: string };

const CLASSES = ['low', 'normal', 'high'] as const;
const MARKS = ['default', 'off', 'metadata', 'signed'] as const;
const UNMARKED = ['default', 'deliver', 'fail'] as const;
const NAME = { kind: 'text', name: 'name', maxLength: 200 } as const;
const LIMIT = { kind: 'count', min: 1, empty: null } as const;

/** Name, limits, priority class and marks. */
export function LimitsDialog({ account, onClose }: { account: Account; onClose(): void }) {
  const { id, name, submit_per_minute, query_per_minute, priority_class } = account;
  const [marks, unmarked] = [account.marks ?? 'default', account.unmarked ?? 'default'];
  const form = useForm<Fields>({ name, submit_per_minute, query_per_minute, priority_class, marks, unmarked });
  const { values } = form;
  const classes = CLASSES.map((value) => ({ value, label: say(`class.${value}`) }));
  const ofMarks = MARKS.map((value) => ({ value, label: say(value === 'default' ? value : `marks.${value}`) }));
  const ofUnmarked = UNMARKED.map((value) => ({
    value,
    label: say(value === 'default' ? value : `unmarked.${value}`),
  }));
  return (
    <ChangeDialog<Account>
      title={say('limits.title', { name })}
      about={say('limits.about')}
      action={say('limits.save')}
      method="PATCH"
      path={`/admin/v1/accounts/${id}`}
      body={{ ...values, marks: nullIfDefault(values.marks), unmarked: nullIfDefault(values.unmarked) }}
      affects={ACCOUNT_VIEWS}
      disabled={values.name.trim() === ''}
      done={(after) => say('limits.done', { name: after.name })}
      onClose={onClose}
    >
      {fieldsOf(form, [
        { ...NAME, label: say('name') },
        { ...LIMIT, name: 'submit_per_minute', label: say('limits.submit'), placeholder: say('limits.none') },
        { ...LIMIT, name: 'query_per_minute', label: say('limits.query'), placeholder: say('limits.none') },
        { kind: 'choice', name: 'priority_class', label: say('limits.class'), words: classes },
        { kind: 'choice', name: 'marks', label: say('limits.marks'), words: ofMarks },
        { kind: 'choice', name: 'unmarked', label: say('limits.unmarked'), words: ofUnmarked },
      ])}
    </ChangeDialog>
  );
}

function nullIfDefault(word: string): string | null {
  return word === 'default' ? null : word;
}
