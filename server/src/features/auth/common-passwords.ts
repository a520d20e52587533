/**
 * The entries of the usual lists of the 10,000 most used passwords that are long enough to be allowed at all
 * (12 characters), in lower case, and the obvious runs of keys around them.
 */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
  123123123123 123412341234 123456123456 123456654321 123456789012 1234567890123 12345678910 123456789101
  123456789123 1234567891011 12345678912345 1234qwer1234 123qweasdzxc 147258369147 1q2w3e4r5t6y 1q2w3e4r5t6y7u
  1q2w3e4r5t6y7u8i 1q2w3e4r5t6y7u8i9o 1qaz2wsx3edc 1qaz2wsx3edc4rfv abc123456789 abcd12345678 abcdefghijkl
  abcdefghijklm administrator administrator1 asdfghjkl123 asdfghjkl1234 asdfghjklzxcvbnm changeme1234 changeme12345
  christopher1 computer1234 dragon123456 football1234 iloveyou1234 iloveyou12345 letmein12345 letmein123456
  manchesterunited p@ssw0rd1234 passw0rd1234 password0000 password1111 password1234 password12345 password123456
  password1234567 passwordpassword q1w2e3r4t5y6 q1w2e3r4t5y6u7 qazwsxedcrfv qazwsxedcrfvtgb qwaszxqwaszx
  qwerty123456 qwerty1234567 qwerty12345678 qwertyqwerty qwertyuiop123 qwertyuiop[] qwertyuiop12 qwertyuiop1234
  qwertyuiopasdfgh qwertyuiopasdfghjkl qwertzuiop123 superman1234 unbelievable welcome12345 welcome123456
  zaq12wsxcde3 zxcvbnm12345 zxcvbnmasdfghjkl
  `
    .trim()
    .split(/\s+/),
);
