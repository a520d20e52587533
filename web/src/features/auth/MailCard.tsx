import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { viewing } from '../../platform/view-as.ts';
import { texts } from '../../texts/auth.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { toastFailed } from '../../ui/toasts.ts';
import {
  notificationSettingsQuery,
  useChangeNotificationSettings,
} from '../notifications/notifications.queries.ts';

/** Which notifications are also mailed to the user (docs/product/data-entry.md, Mail about mentions). */
export function MailCard(): ReactNode {
  const query = useQuery(notificationSettingsQuery);
  const { data } = query;
  const { mutate, isPending, variables } = useChangeNotificationSettings();
  return (
    <section className="ui-card ui-pad ui-stack ui-gap-2" aria-labelledby="own-mail">
      <h2 id="own-mail">{texts.mail}</h2>
      <Loaded of={query} />
      {data && (
        <Switch
          label={texts.mentionMail}
          description={data.isMailOn ? texts.mentionMailNote : texts.noMail}
          checked={isPending ? variables : data.mentionMail}
          disabled={!data.isMailOn || viewing !== null}
          readOnly={isPending}
          onChange={({ currentTarget: { checked } }) =>
            mutate(checked, { onError: (error) => toastFailed(error, texts.mailFailed) })
          }
        />
      )}
    </section>
  );
}
