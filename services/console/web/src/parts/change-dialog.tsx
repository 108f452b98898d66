import { Alert, Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { faultsByField } from '../api/api-error.ts';
import { change } from '../api/gateway.ts';
import { RepeatKey } from '../api/repeat-key.ts';
import { say } from '../frame/texts.ts';
import classes from './change-dialog.module.css';
import { Dialog } from './dialog.tsx';
import { faultText } from './failure.tsx';
import { notify } from './notices.tsx';
import { submitted } from './submitted.ts';

export type FaultOf = (field: string) => string | undefined;

export interface ChangeDialogProps<Data> {
  title: string;
  /** Says what will happen, to whose money, and whether it can be undone. */
  about: ReactNode;
  action: string;
  /** It takes something away. */
  dangerous?: boolean;
  method?: 'POST' | 'PATCH' | 'DELETE';
  path: string;
  /** The body without the reason, which the dialog asks for. */
  body?: Readonly<Record<string, unknown>>;
  /** Roots of the queries that show what is changed. */
  affects: readonly string[];
  disabled?: boolean;
  /** False: the change is a holder's own, which nobody has to justify. */
  asksReason?: boolean;
  /** Said in a notice once the change is made; the dialog closes by itself then. */
  done?: string | ((data: Data) => string);
  /** Called once the change is made. Without `done` it closes the dialog where that is wanted. */
  onDone?(data: Data): void;
  onClose(): void;
  /** The fields of the change; each shows what the API has against it. */
  children?(faultOf: FaultOf): ReactNode;
}

const REASON_MAX_CHARACTERS = 500;

/** Asks before a change: what it does, and of operators why it is made. All tries of one intent have one idempotency key. */
export function ChangeDialog<Data>(props: ChangeDialogProps<Data>) {
  const { title, about, action, dangerous = false, disabled = false, asksReason = true, onClose, children } = props;
  const { press, reason, setReason } = useChange(props);
  const { faultOf, unshown } = readFaults(press.error);
  const fields = children?.(faultOf);
  const reasonFault = faultOf('reason');
  // Enter alone must not take away what nobody has to justify.
  const keeps = dangerous && !asksReason;
  const submit = submitted(() => press.mutate());
  return (
    <Dialog onClose={onClose} title={title}>
      <form className="stack" onSubmit={submit}>
        <div className={classes.about}>{about}</div>
        {fields}
        <OtherFault error={press.error} unshown={unshown} />
        {asksReason && (
          <TextInput
            label={say('reason')}
            description={say('reason.about')}
            required
            // Blanks are no reason.
            pattern=".*\S.*"
            withAsterisk={false}
            maxLength={REASON_MAX_CHARACTERS}
            value={reason}
            error={reasonFault}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            {...(children === undefined && { 'data-autofocus': true })}
          />
        )}
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose} {...(keeps && { 'data-autofocus': true })}>
            {say(keeps ? 'keep' : 'cancel')}
          </Button>
          <Button type="submit" disabled={disabled} loading={press.isPending} {...(dangerous && { color: 'red.8' })}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Stands behind the fields, which have asked for their own faults when this is drawn. */
function OtherFault({ error, unshown }: { error: Error | null; unshown(): boolean }) {
  return unshown() ? (
    <Alert color="red" variant="light" role="alert">
      {faultText(error)}
    </Alert>
  ) : null;
}

function useChange<Data>(props: ChangeDialogProps<Data>) {
  const { method = 'POST', path, body, affects, asksReason = true, done, onDone, onClose } = props;
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const [repeatKey] = useState(() => new RepeatKey());
  const press = useMutation({
    mutationFn: () => {
      const sent = asksReason ? { ...body, reason: reason.trim() } : body;
      return change<{ data: Data }>(method, path, sent, { 'Idempotency-Key': repeatKey.for(method, path, sent) });
    },
    onSuccess: ({ data }) => {
      repeatKey.answered();
      if (done !== undefined) {
        notify(typeof done === 'string' ? done : done(data));
        onClose();
      }
      onDone?.(data);
    },
    onSettled: () => Promise.all(affects.map((root) => queries.invalidateQueries({ queryKey: [root] }))),
  });
  return { press, reason, setReason };
}

/** `unshown`: some fault is of no field that asked for its own. */
function readFaults(error: Error | null): { faultOf: FaultOf; unshown(): boolean } {
  const faults = faultsByField(error);
  const shown = new Set<string>();
  return {
    faultOf: (field) => {
      shown.add(field);
      return faults.get(field);
    },
    unshown: () => error !== null && (faults.size === 0 || [...faults.keys()].some((field) => !shown.has(field))),
  };
}
