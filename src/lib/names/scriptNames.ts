/**
 * Names of people in scripts that don't tell how a name sounds, with the ways it is usually written in Latin letters:
 * Arabic and Hebrew leave vowels out, and Japanese names have several readings. One name per line.
 */
const ARABIC = `
أحمد ahmed ahmad
احمد ahmed ahmad
محمد mohammed mohamed muhammad mohammad
محمود mahmoud mahmud
مصطفى mustafa mostafa moustafa
علي ali aly
حسن hassan hasan
حسين hussein hussain husain hossein
عمر omar umar
عمرو amr amro
خالد khaled khalid
يوسف youssef yousef yusuf
إبراهيم ibrahim ebrahim
ابراهيم ibrahim ebrahim
عبدالله abdullah abdallah
عبد abd abdul abdel
الله allah
سعيد said saeed saied
سعد saad
سامي sami samy
سمير samir sameer
كريم karim kareem
طارق tarek tariq tarik
زياد ziad ziyad
وليد walid waleed
رامي rami ramy
هاني hani hany
منصور mansour mansoor mansur
ماجد majed majid maged
نبيل nabil nabeel
جمال jamal gamal
جميل jamil jameel
فيصل faisal faysal
فهد fahd fahad
سلمان salman
سليمان suleiman sulaiman soliman
بلال bilal
أنس anas
أيمن ayman aymen
إسماعيل ismail
هشام hisham hesham
شريف sherif sharif
عادل adel adil
نور noor nour nur
نورا nora noura
فاطمة fatima fatma fatimah
مريم maryam mariam
عائشة aisha aysha
زينب zainab zeinab zaynab
ليلى layla laila leila
سارة sara sarah
هدى huda hoda
منى mona muna
رنا rana
دينا dina
ريم reem rim
سلمى salma
ياسمين yasmin yasmine jasmine
أمل amal
إيمان iman eman
هند hind
رانيا rania ranya
خديجة khadija khadijah
الحسن hassan hasan
العلي ali
المصري masri almasri elmasry
الخطيب khatib khateeb
حداد haddad
الحداد haddad
خوري khoury khouri
سالم salem salim
صالح saleh salih
ناصر nasser nasir
قاسم qasim kassem qassem
رشيد rashid rasheed
عزيز aziz
يعقوب yaqoub yacoub jacob
عيسى issa isa eissa
موسى moussa musa mousa
`;
const HEBREW = `
יעל yael jael
נועה noa noah
נעה noa noah
אורי ori uri
אור or
דניאל daniel
דוד david
משה moshe
יוסף yosef joseph yossi
יוסי yossi yosi
אברהם avraham abraham
יצחק yitzhak itzhak isaac
יעקב yaakov jacob
שרה sara sarah
רבקה rivka rebecca
רחל rachel rahel
לאה leah lea
מיכל michal
מיכאל michael
תמר tamar tamara
שירה shira
מאיה maya
רוני roni ronnie
רון ron
גיל gil
גיא guy
איתי itai itay
עידו ido iddo
עומר omer
אלון alon
אסף asaf assaf
אמיר amir
אריאל ariel
אבי avi
איל eyal
אייל eyal
עמית amit
נדב nadav
ניר nir
יונתן jonathan yonatan
שלמה shlomo
שמואל shmuel samuel
שי shai shay
טל tal
ליאור lior
ענת anat
הילה hila
דנה dana
כהן cohen kohen kahn
לוי levi levy
מזרחי mizrahi mizrachi
פרץ peretz perez
ביטון biton bitton
פרידמן friedman
גולדברג goldberg
כץ katz
ברק barak
שפירא shapira shapiro
רוזן rosen
גולן golan
שגב segev
אזולאי azoulay azulay
חדד hadad haddad
`;
const JAPANESE_FAMILIES = `
佐藤 sato satou satoh
鈴木 suzuki
高橋 takahashi
田中 tanaka
渡辺 watanabe
渡邊 watanabe
伊藤 ito itou itoh
山本 yamamoto
中村 nakamura
小林 kobayashi
加藤 kato katou katoh
吉田 yoshida
山田 yamada
佐々木 sasaki
山口 yamaguchi
松本 matsumoto
井上 inoue
木村 kimura
林 hayashi
清水 shimizu
山崎 yamazaki yamasaki
森 mori
阿部 abe
池田 ikeda
橋本 hashimoto
石川 ishikawa
小川 ogawa
藤田 fujita
岡田 okada
後藤 goto gotou gotoh
長谷川 hasegawa
村上 murakami
近藤 kondo kondou
石井 ishii
斎藤 saito saitou saitoh
斉藤 saito saitou saitoh
坂本 sakamoto
遠藤 endo endou
青木 aoki
藤井 fujii
西村 nishimura
福田 fukuda
太田 ota ohta
三浦 miura
藤原 fujiwara
岡本 okamoto
松田 matsuda
中島 nakajima nakashima
原田 harada
上田 ueda
`;
const JAPANESE_GIVEN = `
美咲 misaki
陽菜 hina haruna
葵 aoi
結衣 yui
さくら sakura
愛 ai
恵 megumi kei
恵子 keiko
裕子 yuko hiroko
直子 naoko
陽子 yoko
由美 yumi
由美子 yumiko
真由美 mayumi
久美子 kumiko
智子 tomoko
明美 akemi
香織 kaori
麻衣 mai
彩 aya
健 ken takeshi
健一 kenichi
健太 kenta
誠 makoto
学 manabu
浩 hiroshi
博 hiroshi
隆 takashi
剛 tsuyoshi takeshi
太郎 taro tarou
一郎 ichiro ichirou
翔 sho shou
翔太 shota shouta
大輔 daisuke
大樹 daiki
拓也 takuya
達也 tatsuya
和也 kazuya
直樹 naoki
秀樹 hideki
英樹 hideki
正樹 masaki
修 osamu
茂 shigeru
豊 yutaka
明 akira
亮 ryo ryou
悠 yu haruka
蓮 ren
陸 riku
`;

const KNOWN = new Map(
  [ARABIC, HEBREW, JAPANESE_FAMILIES, JAPANESE_GIVEN].flatMap(table =>
    table
      .trim()
      .split('\n')
      .map(line => line.split(' '))
      .map(([name = '', ...forms]): [string, string[]] => [name, forms]),
  ),
);
const LONGEST_FAMILY = 3;

/** The usual ways to write a name in Latin letters, the commoner first; none for a name that isn't listed. */
export function usualForms(name: string): readonly string[] {
  return KNOWN.get(name) ?? [];
}

/** 佐藤美咲 as 佐藤 and 美咲; undefined when it doesn't begin with a listed Japanese family's name. */
export function divideJapanese(written: string): [family: string, given: string] | undefined {
  const letters = [...written];
  for (let at = Math.min(LONGEST_FAMILY, letters.length - 1); at > 0; at -= 1) {
    const [family, given] = [letters.slice(0, at).join(''), letters.slice(at).join('')];
    if (KNOWN.has(family) && KNOWN.has(given)) return [family, given];
  }
  return undefined;
}
