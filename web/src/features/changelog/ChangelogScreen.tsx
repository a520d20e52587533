import { createElement, Fragment, useEffect, type ReactNode } from 'react';
import changelog from '../../../../CHANGELOG.md?raw';
import { noteChangelogSeen } from '../../platform/changelog-news.ts';
import { texts } from '../../texts/changelog.ts';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { readChangelog, type Piece } from './read-changelog.ts';
import styles from './ChangelogScreen.module.css';

const releases = readChangelog(changelog);

/** What is new (product section 9): the project's own changelog, as it was when this was built. */
export function ChangelogScreen(): ReactNode {
  useEffect(noteChangelogSeen, []);
  return (
    <Page>
      <PageHeader title={texts.title} note={texts.note} />
      {/* Nothing else in here takes the focus, and it is longer than a screen: so it can be scrolled by keyboard. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div role="region" aria-label={texts.title} tabIndex={0}>
        {releases.map(({ name, entries }) => (
          <section key={name} className={styles.release}>
            <h2 className={styles.name}>{name}</h2>
            <ul className={styles.entries}>
              {entries.map((entry) => (
                <li key={entry.map(({ text }) => text).join('')}>
                  {createElement(Fragment, null, ...entry.map(pieceOf))}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Page>
  );
}

function pieceOf({ kind, text }: Piece): ReactNode {
  if (kind === 'strong') return <strong>{text}</strong>;
  return kind === 'code' ? <code>{text}</code> : text;
}
