import { errorCodes } from '@forecourt/contract/errors';
import { Button } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import Lock from 'lucide-react/icons/lock';
import type { ReactNode } from 'react';
import { paths } from '../../platform/paths.ts';
import { texts as appTexts } from '../../texts/app.ts';
import { texts } from '../../texts/auth.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';

const refusals: readonly (string | undefined)[] = Object.values(appTexts.refusals);

/** Shows the guard's reason from the URL. Other texts are ignored, because anyone can write a link. */
export default function UnauthorizedScreen(): ReactNode {
  const { message, code }: Record<string, string | undefined> = useSearch({ strict: false });
  return (
    <Page>
      <PageHeader title={texts.unauthorizedTitle} />
      <EmptyState
        icon={<Lock />}
        title={message !== undefined && refusals.includes(message) ? message : texts.unauthorized}
        action={
          <>
            <Button component={Link} to={paths.dashboard}>
              {texts.toDashboard}
            </Button>
            {code !== undefined && Object.hasOwn(errorCodes, code) && (
              <p className="ui-quiet ui-mt-4">{texts.code(code)}</p>
            )}
          </>
        }
      >
        {texts.askAdministrator}
      </EmptyState>
    </Page>
  );
}
