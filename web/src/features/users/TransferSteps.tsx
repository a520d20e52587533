import type { Belongings, DirectoryPerson, User } from '@forecourt/contract/users';
import { Select, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatCount } from '../../platform/formats.ts';
import { texts } from '../../texts/users.ts';
import type { useForm } from '../../ui/use-form.ts';
import { formatBelongings, reviewOf, type TransferValues } from './transfer-texts.ts';
import styles from './TransferAll.module.css';

type Form = ReturnType<typeof useForm<TransferValues>>;

const kinds = ['dealerships', 'emailTemplates', 'items', 'deals', 'dealViews'] as const;

type WhatProps = { user: User; owned: Belongings; people: readonly DirectoryPerson[]; form: Form };

/** The records, and their new owner. */
export function TransferSelection({ user, owned, people, form }: WhatProps): ReactNode {
  if (formatBelongings(owned) === '') return <p>{texts.ownsNothing(user.name)}</p>;
  return (
    <>
      <p>{texts.owns(user.name)}</p>
      <dl className={styles.counts}>
        {kinds.map((kind) => (
          <div key={kind} className={styles.count}>
            <dt>{texts.kinds[kind]}</dt>
            <dd>{formatCount(owned[kind])}</dd>
          </div>
        ))}
      </dl>
      <Select
        label={texts.newOwner}
        withAsterisk
        searchable
        data-autofocus
        placeholder={texts.choosePerson}
        nothingFoundMessage={texts.nobodyFound}
        data={people.map(({ _id, name, email }) => ({ value: _id, label: `${name} (${email})` }))}
        {...form.choice('targetUserId')}
      />
    </>
  );
}

/** The former owner's remaining access, and the reason. */
export function TransferOptions({ user, form }: { user: User; form: Form }): ReactNode {
  return (
    <>
      <Switch
        label={texts.keepSharing(user.name)}
        description={texts.keepSharingHint}
        {...form.check('keepSharing')}
      />
      {user.isActive && (
        <Switch
          label={texts.alsoDeactivate(user.name)}
          description={texts.alsoDeactivateHint}
          {...form.check('deactivate')}
        />
      )}
      <TextInput label={texts.reason} description={texts.reasonHint} {...form.text('reason')} />
    </>
  );
}

type ReviewProps = { user: User; newOwner: DirectoryPerson; owned: Belongings; values: TransferValues };

/** Review of all changes. */
export function TransferReview({ user, newOwner, owned, values }: ReviewProps): ReactNode {
  return (
    <>
      <p>{texts.review}</p>
      <ul className={`ui-stack ui-gap-2 ${styles.review}`}>
        {reviewOf(user, newOwner.name, owned, values).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </>
  );
}
