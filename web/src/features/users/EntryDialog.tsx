import type { Entry, User } from '@forecourt/contract/users';
import { Button, TextInput } from '@mantine/core';
import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import { useRef, useState, type ReactNode } from 'react';
import { formatDateTime } from '../../platform/formats.ts';
import { texts } from '../../texts/users.ts';
import { copyText } from '../../ui/copy-text.ts';
import { Dialog } from '../../ui/Dialog.tsx';

type EntryDialogProps = { user: Pick<User, 'name' | 'email'>; entry: Entry; onClose: () => void };

/** The temporary password or the invitation link of a user, which the server returns only once. */
export function EntryDialog({ user, entry, onClose }: EntryDialogProps): ReactNode {
  const until = formatDateTime(entry.expiresAt);
  const password = entry.temporaryPassword;
  return (
    <Dialog
      title={password === undefined ? texts.invitationFor(user.name) : texts.passwordFor(user.name)}
      size="md"
      onClose={onClose}
      closeOnClickOutside={false}
    >
      <div className="ui-stack ui-gap-3">
        {password === undefined ? (
          <Secret
            label={texts.invitationLabel}
            // Uses the origin of this page, which is known to be reachable.
            text={window.location.origin + (entry.invitationPath ?? '')}
          />
        ) : (
          <Secret label={texts.passwordLabel} text={password} />
        )}
        <p className="ui-strong">{texts.onceOnly}</p>
        <p>{password === undefined ? texts.invitationUntil(until) : texts.passwordUntil(until)}</p>
        {entry.mailed && <p>{texts.mailed(user.email)}</p>}
      </div>
      <div className="ui-line ui-gap-0 ui-end ui-mt-5">
        <Button variant="default" onClick={onClose}>
          {texts.done}
        </Button>
      </div>
    </Dialog>
  );
}

/** A text with a copy button. If the browser refuses to copy, the text is selected for Ctrl+C. */
function Secret({ label, text }: { label: string; text: string }): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState<boolean | null>(null);
  const copy = (): void => {
    const done = copyText(text);
    if (!done) field.current?.select();
    setCopied(done);
  };
  return (
    <>
      <div className="ui-row ui-bottom">
        <TextInput
          ref={field}
          // Text and button are side by side if the whole password is visible.
          flex="1 1 220px"
          classNames={{ input: 'ui-code' }}
          label={label}
          readOnly
          value={text}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button data-autofocus leftSection={copied ? <Check /> : <Copy />} onClick={copy}>
          {copied ? texts.copied : texts.copy}
        </Button>
      </div>
      <span role="status">{copied === false && texts.copyByHand}</span>
    </>
  );
}
