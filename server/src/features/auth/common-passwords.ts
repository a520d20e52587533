/**
 * Common passwords of at least 12 characters, in lower case: from the list of the 30,000 most used (xato.net, as in
 * zxcvbn; shorter lists lack most of these), and runs of neighbouring keys.
 */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
  010203040506 012345678910 014702580369 01telemike01 102030405060 1111111111zz 111222333000 111222333444555
  112233445566 122333444455555 123123123123 123123qweqwe 123321456654 123321qweewq 123412341234 123456123456
  123456654321 123456782000 1234567887654321 123456789000 12345678900987654321 123456789012 1234567890123
  1234567890987654321 1234567890qaz 1234567890qw 1234567890qwe 1234567890qwerty 1234567890zzz 12345678910 123456789101
  1234567891011 123456789123 12345678912345 1234567892000 12345678987654321 123456789987654321 123456789abc
  123456789asd 123456789qaz 123456789qqq 123456789qwe 123456789qwer 123456789qwerty 123456789zxc 1234567qwertyu
  123456qwerty 1234qwer1234 1234qwerasdf 1234qwerasdfzxcv 123qwe456rty 123qweasdzxc 123qwerty123 12qw34er56ty
  147258369147 159753456852 1a2s3d4f5g6h 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i 1q2w3e4r5t6y7u8i9o 1qa2ws3ed4rf
  1qa2ws3ed4rf5tg 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazxsw23edc 1qazxsw23edcvfr4 23176djivanfros 31217221027711
  32615948worms 41d8cd98f00b 4815162342lost 541233432442 59382113kevinp 742617000027 89231243658s 89876065093rax
  a1s2d3f4g5h6 abc123456789 abcd12345678 abcdefghijkl abcdefghijklm admin18533362 administrator administrator1
  amadeusptfcor an83546921an13 andrewjackie antananarivu asdfgh123456 asdfghjkl123 asdfghjkl1234 asdfghjklzxcvbnm
  auckland2010 avrillavigne bltynbabrfwbz boy4u2ownnyc bpgjldsgjldthnf businessbabe changeme1234 changeme12345
  chickenwing101 christopher1 cjdthitycndj combat123654 computer1234 contortionist corperfmonsy counterstrike
  devilmaycry4 digitalprodu dkflbvbhjdbx dkflbvbhjdyf domainlock2005 dragon123456 finalfantasy fkmnthyfnbdf
  fktrcfylhjdbx fktrcfylhjdf fktrcfylhjdyf flvbybcnhfnjh football1234 frederiksberg fucktheworld fuckyoubitch
  fynfyfyfhbde gfhjkmgfhjkm ghbdtnghbdtn ghbdtnrfrltkf ghhh47hj7649 ghjcnjgbpltw ghjcnjgfhjkm ghjcnjghjcnj
  ghjcnjqgfhjkm ghjcnjrdfibyj ghjnbdjcnjzybt gjkysqgbpltw greenlantern gtnhjpfdjlcr hd764nw5d7e1vb1 hedimaptfcor
  iampurehaha2 iloveboobies ilovemyfamily iloveyou1234 iloveyou12345 ingodwetrust installdevic installsqlst
  iseedeadpeople jamesbond007 justinbieber leavemealone letmein12345 letmein123456 lhbjkjubz2957704 lost4815162342
  lytghjgtnhjdcr mailcreated5240 manchesterunited maprchem56458 massimiliano masterbaiting masterbating masturbation
  maurolarastefy mevefalkcakk michaeljackson minecraft123 minnesota_hp momsanaladventure morganstanley mortalkombat
  msorcloledbr needforspeed nemvxyheqdd5oqxyxyzi networkingpe newproject2004 nhecsyfujkjdt nhfdvfnjkju123 nhfycajhvths
  nightcrawler nondriversig olcrackmaster ontheoutside p030710p$e4o p@ssw0rd1234 paraklast1974 passw0rd1234
  password0000 password1111 password1234 password12345 password123456 password1234567 passwordpassword
  passwordstandard peanutbutter playstation2 playstation3 polniypizdec0211 polniypizdec110211 pornographic
  ptybnxtvgbjy punksnotdead q1w2e3r4t5y6 q1w2e3r4t5y6u7 q1w2e3r4t5y6u7i8 q1w2e3r4t5y6u7i8o9p0 qawsedrftgyh
  qaz123wsx456 qazwsxedc123 qazwsxedcrfv qazwsxedcrfvtgb qazxswedc123 qazxswedcvfr qwaszxerdfcv qwaszxqwaszx
  qweasdzxc123 qwerasdfzxcv qwertasdfgzxcvb qwerty123456 qwerty1234567 qwerty12345678 qwerty123456789 qwertyasdfgh
  qwertyqwerty qwertyuiop10 qwertyuiop12 qwertyuiop123 qwertyuiop1234 qwertyuiop12345 qwertyuiop[] qwertyuiopasdfgh
  qwertyuiopasdfghjkl qwertyytrewq qwertzuiop123 residentevil rfnthbyf1988 sanfrancisco saun24865709 schoolgirlie
  seemnemaailm sojdlg123aljg sonnenschein sonyericsson specialinsta stickdaddy77 stinkyfinger stratocaster
  superman1234 systemofadown temppassword thecakeisalie ticketmaster unbelievable vanyarespekt vfhbyfvfhbyf
  vfrcbvvfrcbv vfvfvskfhfve vladimirovna warhammer40k wazzkaprivet websolutions websolutionssu webuivalidat
  weihnachtsbau weihnachtsbaum welcome12345 welcome123456 whosyourdaddy xxxp455w0rd5 z1x2c3v4b5n6m7 zaq12wsxcde3
  zaq1xsw2cde3 zaqwsxcderfv zcfvfzkexifz zqjphsyf6ctifgu zxcasdqwe123 zxcvbn123456 zxcvbnm12345 zxcvbnm123456789
  zxcvbnmasdfghjkl
  `
    .trim()
    .split(/\s+/),
);
