/** What a conversation tells of a person, and a contact. */
export type Pair = {
  country: string;
  /** Calling code of the user's own account. */
  callingCode: string;
  name: string;
  /** E.164, or ''. */
  phone: string;
  firstName: string;
  lastName: string;
  company: string;
  /** As typed in the CRM. */
  theirPhone: string;
};

/*
 * country, code of the user's account; name and number in the messenger => first name; last name; company; number in the CRM.
 * Every name is in one pair only.
 */

const SAME_NUMBER = `
MX 52; Lucía Hernández Soto; +525512345678 => Lucía; Hernández Soto;; +52 1 55 1234 5678
AR 49; Martina Quiroga; +5491145678901 => Martina; Quiroga;; +54 11 4567-8901
BR 55; Thiago Menezes; +5511987654321 => Thiago; Menezes;; +55 11 8765-4321
CI 33; Awa Kouassi; +2250707654321 => Awa; Kouassi;; +225 07 65 43 21
CI 225; Serge Konan; +22545123456 => Serge; Konan;; +225 05 45 12 34 56
IT 39; Chiara Fontana; +390669812345 => Chiara; Fontana;; +39 (0)6 6981 2345
GB 44; Oliver Hartley; +441134960123 => Oliver; Hartley;; +44 113 496 0123 extension 45
JP 81; 斎藤 葵; +81335014567 => 葵; 斎藤;; ０３−３５０１−４５６７　内線５
SA 966; Faisal Harbi; +966501234567 => Faisal; Harbi;; ٠٠٩٦٦ ٥٠ ١٢٣ ٤٥٦٧
DE 49; Ulrike Sommer; +491713920047 => Ulrike; Sommer;; +49 30 1234567 / +49 171 3920047
DK 45; Mette Lauridsen; +4530123456 => Mette; Lauridsen;; (45) 30 12 34 56
PL 48; Halina Wrona; +48226211234 => Halina; Wrona;; (0-22) 621 12 34
BY 375; Алеся Кузьмич; +375291234567 => Алеся; Кузьмич;; 8 (029) 123-45-67
VN 84; Trinh Quoc Bao; +84701234567 => Quốc Bảo; Trịnh;; +84 120 1234567
`;

const SAME_COMPANY = `
RU 7; Жанна Лебедева | ООО «Ромашка»; => Жанна; Лебедева; Romashka LLC;
LV 371; Ilze Kalniņa (SIA "Rimi Latvia"); => Ilze; Kalniņa; Rimi Latvia;
US 1; Megan Doyle | 3M; => Megan; Doyle; 3M Company;
SE 46; Elsa Lindgren | H&M; => Elsa; Lindgren; H & M;
JP 81; Kenta Ogawa | 株式会社トヨタ; => Kenta; Ogawa; Toyota;
KR 82; Minseo Han | 주식회사 한빛; => Minseo; Han; 한빛(주);
SA 966; Khalid Otaibi | شركة المراعي; => Khalid; Otaibi; المراعي;
RU 7; Ксения Белова | Яндекс; => Ксения; Белова; Yandex;
FR 33; Camille Roux | Société Générale; => Camille; Roux; Societe Generale SA;
TR 90; Defne Aksoy | Arçelik A.Ş.; => Defne; Aksoy; Arcelik;
`;

const SAME_NAME = `
DK 45; Anna\u3164Petersen; => Anna; Petersen;;
ES 34; Ⓜⓐⓡⓣⓐ Ⓥⓘⓓⓐⓛ; => Marta; Vidal;;
RU 7; Дмитрий Соколов; => Dmitry; Sokolov;;
UA 380; Юлія Ткаченко; => Yuliia; Tkachenko;;
GR 30; Γιώργος Παπαδάκης; => Giorgos; Papadakis;;
GE 995; გიორგი მაისურაძე; => Giorgi; Maisuradze;;
TR 90; Gokhan Yildirim; => Gökhan; Yıldırım;;
VN 84; Nguyen Van An; => Văn An; Nguyễn;;
DE 49; Jürgen Groß; => Juergen; Gross;;
NL 31; van Dijk, Sanne; => Sanne; van Dijk;;
KZ 7; Sergey Volkov; => Сергей; Волков;;
`;

const OTHER_NUMBER = `
MX 52; Renata Villaseñor; +525512345678 => Renata; Villaseñor;; +52 1 55 1234 5679
AR 54; Facundo Rivas; +5491145678901 => Facundo; Rivas;; +54 11 4567-8902
BR 55; Caio Falcão; +5511987654321 => Caio; Falcão;; +55 11 8765-4322
CI 225; Mariame Bamba; +2250707654321 => Mariame; Bamba;; +225 05 65 43 21
IT 39; Paolo Marchesi; +390669812345 => Paolo; Marchesi;; +39 (0)2 6981 2345
GB 44; Imogen Sharp; +441134960123 => Imogen; Sharp;; +44 113 496 0124 extension 23
US 1; Dylan Foster; +442079460958 => Dylan; Foster;; 011 44 20 7946 0959
EG 20; Hossam Zaki; +201001234567 => Hossam; Zaki;; +٢٠ ١٠٠ ١٢٣ ٤٥٦٨
AT 43; Helene Winkler; +431713920047 => Helene; Winkler;; +49 171 3920047
DE 49; Volker Lenz; +491713920047 => Volker; Lenz;; +49 30 1234567 / +49 171 3920046
PL 48; Zofia Mazur; +48226211234 => Zofia; Mazur;; (0-22) 621 12 35
VN 84; Ly Gia Han; +84791234567 => Gia Hân; Lý;; +84 120 1234567
`;

const OTHER_COMPANY = `
RU 7; Инна Зуева | ООО «Ромашка»; => Инна; Зуева; ООО «Рассвет»;
LV 371; Janis Ozols (SIA "Rimi Latvia"); => Janis; Ozols; SIA "Maxima Latvija";
US 1; Tyler Boone | 3M; => Tyler; Boone; 5M Solutions;
SE 46; Axel Nyberg | H&M; => Axel; Nyberg; C&A;
JP 81; Yui Sakai | 株式会社トヨタ; => Yui; Sakai; 株式会社ホンダ;
KR 82; Jiwoo Seo | 주식회사 한빛; => Jiwoo; Seo; 주식회사 금빛;
SA 966; Reem Qahtani | شركة المراعي; => Reem; Qahtani; شركة نادك;
DE 49; Nadine Busch | Müller Logistik; => Nadine; Busch; Miller Logistik;
GB 44; Rory Blake @ Bank of Scotland; => Rory; Blake; Bank of America;
`;

const OTHER_NAME = `
RU 7; Мария Зайцева; => Marina; Zaitseva;;
CZ 420; Jan Veselý; => Jana; Veselá;;
NO 47; Erik Hansen; => Erik; Hanson;;
DE 49; Anna Schmidt; => Anna-Maria; Schmidt;;
US 1; Walter Briggs Jr; => Walter; Briggs Sr;;
KR 82; Min-jun Kang; => Min-jung; Kang;;
VN 84; Tran Van An; => Văn Anh; Trần;;
GR 30; Γιώργος Νικολάου; => Georgia; Nikolaou;;
EG 20; Mohamed Nasser; => Mahmoud; Nasser;;
HU 36; Ⓗⓐⓝⓝⓐ Ⓥⓐⓢⓢ; => Anna; Vass;;
GB 44; D. Cooper; => Daniel; Cooper;;
`;

/** A person may only be asked about most of these. */
const SPELLED_OTHERWISE = `
AR 54; Meli; +5493516184420 => Melina; Oviedo;; 0351 15 618-4420
KZ 7; Айгерим; +77017543289 => Айгерим; Сапарова;; 8 701 754 32 89
BR 55; Rê Figueiredo; +5521996458123 => Renata; Figueiredo;; 0 15 21 99645-8123
RU 7; Shcherbakov Evgeny; => Евгений; Щербаков;;
GR 30; Giorgos Papanikolaou; => Γιώργος; Παπανικολάου;;
RS 381; Ђорђе Живковић; => Đorđe; Živković;;
PL 48; Lukasz Zolkowski; => Łukasz; Żółkowski;;
RO 40; Ştefan Ţurcanu; => Ștefan; Țurcanu;;
IS 354; Thordur Gudmundsson; => Þórður; Guðmundsson;;
IN 91; Rajesh Sharma; => राजेश; शर्मा;;
LB 961; Karim Haddad; => كريم; حداد;;
JP 81; 森田彩; => 彩; 森田;;
KR 82; 박지훈; => 지훈; 박;;
KZ 7; Ерлан Жумабаев Алтын Дала; => Ерлан; Жумабаев; ТОО "Алтын Дала";
RU 7; Олег Гущин X5; => Олег; Гущин; X5 Group;
`;

export const SPELLED = read(SPELLED_OTHERWISE);
export const SAME = [SAME_NUMBER, SAME_COMPANY, SAME_NAME].flatMap(read);
export const DIFFERENT = [OTHER_NUMBER, OTHER_COMPANY, OTHER_NAME].flatMap(read);

export function read(table: string): Pair[] {
  return table
    .split('\n')
    .filter(Boolean)
    .map(line => {
      const [ours = '', theirs = ''] = line.split('=>');
      const [place = '', name = '', phone = ''] = ours.split(';').map(part => part.trim());
      const [firstName = '', lastName = '', company = '', theirPhone = ''] = theirs.split(';').map(part => part.trim());
      const [country = '', callingCode = ''] = place.split(' ');
      return { country, callingCode, name, phone, firstName, lastName, company, theirPhone };
    });
}
