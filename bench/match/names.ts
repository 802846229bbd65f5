/** Names of people who do not exist, from many places. None of them is in the shared data on purpose. */

const FIRST = `
Abena Adaeze Adrián Agnieszka Ailsa Akira Alberto Alejandra Alessandro Alicja Alistair Amadou Ananya Anders Angus Anneliese
Antonella Arjun Arvid Astrid Augusto Aurélie Aylin Bartłomiej Beatriz Benedikt Bengt Birgitta Blessing Bogumił Bruna Caio
Camila Carmen Cecilia Chiara Chinedu Cillian Clara Claudio Conor Cosimo Daan Dagmar Damla Deepak Delphine Diego Dorota
Edoardo Efe Eilidh Ekrem Eleonora Emeka Emre Enzo Erlend Esra Eszter Fabienne Fatou Femke Ferenc Fernanda Finn Fiona
Florence Frode Gareth Gergely Giada Gintaras Giulia Gökhan Graça Grzegorz Guilherme Gustav Haakon Hamish Hannelore Haruto
Hatice Heike Henrique Hiroko Hüseyin Ignacio Ilse Imani Inês Ingeborg Isolde Iwona Jacek Jadwiga Jaakko Jarosław Joaquín
Jolanta Juhani Jürgen Kaito Kalle Kamil Karthik Kavya Keiko Kerstin Kerry Kofi Kwame Lajos Lars Laszlo Leila Lieke Linnea
Lorena Lucas Lucía Ludovic Maarten Maeve Magnus Malik Manuela Marcel Margit Marloes Mateo Mathilde Matilda Mehmet Mei
Merve Mieke Miguel Mirjam Moira Nadine Naoki Neha Ngozi Niamh Nils Noor Nuno Ophélie Oskar Otto Padraig Paolo Paulina
Pieter Pilar Piotr Preeti Quentin Rafał Rajesh Ramona Renata Ricardo Rikke Rosalind Ruben Ryszard Sakura Salvatore Sanna
Saoirse Sebastião Selin Shauna Sigrid Silke Sławomir Solveig Stellan Sunita Svante Sylwia Taavi Takumi Tarek Thandiwe
Thierry Tibor Tiziana Tobias Torsten Tuğba Ulrike Uwe Valentina Vikram Violeta Wanda Wiebke Wilfred Xavier Ximena Yara
Yasmin Yolanda Ysabel Zainab Zdeněk Zeynep Zofia Zoltán Zuzanna
`;
const LAST = `
Abiodun Acheampong Adeyemi Ahlgren Akintola Albrecht Almeida Andersson Arslan Asante Azevedo Bachmann Bakker Banerjee Barros
Baumgartner Beaumont Bergström Bianchi Bielski Björklund Blackwood Boateng Bondarek Bosch Braga Brandt Brennan Buchanan
Cabrera Caldwell Calloway Cardoso Carrington Castellanos Çelik Chatterjee Christensen Cohen Collins Contreras Corrigan
Coutinho Crawford Cruz Cunningham Czarnecki Dahlberg Delacroix Demir Desai Deschamps Dąbrowski Doğan Dombrowska Donnelly
Drummond Dubois Duarte Egeland Eriksen Escobar Espinoza Fairbanks Falkenberg Farrell Feldmann Fernandes Ferrari Fitzgerald
Fontaine Forsberg Fournier Fujimoto Gallagher Galli Garrido Gonçalves Grabowski Greco Gunnarsson Gustafsson Hakala Halvorsen
Hämäläinen Hashimoto Hayashi Hegde Heikkinen Herrera Hidalgo Hoffmann Holmberg Huber Iglesias Ishikawa Iyer Jankowski
Jensen Jiménez Johansen Joshi Kagame Kaplan Kariuki Karlsson Kaya Keller Kennedy Kerr Kimura Kiss Kjeldsen Kobayashi Koç
Korhonen Koskinen Kovács Kruger Kuiper Kumar Laine Lambert Larsen Laurent Lefèvre Lehmann Lehtonen Lindqvist Lombardi
Lundgren MacDonald Machado Maeda Mahoney Malhotra Mancini Marchetti Marín Matsumoto Mazur McAllister Medeiros Menon Mensah
Meyerhoff Molina Monteiro Moreau Morrison Moyo Mukherjee Nakamura Navarro Nair Neumann Nielsen Nkosi Nordström Nowicki
Oberholzer Odhiambo Okafor Okonkwo Olivares Osei Ostrowski Oyelaran Özkan Pacheco Paixão Palmer Parisi Patil Pedersen
Pellegrini Pereira Pettersson Pfeiffer Quintana Ramsey Rasmussen Reddy Reinhardt Ribeiro Richter Rinaldi Rodrigues Romano
Rosenthal Roux Saarinen Salazar Santoro Sandoval Sawicki Schneider Sedláček Serrano Shapiro Sharma Shimizu Silveira
Sinclair Sithole Sobczak Solberg Sørensen Stanisławski Steiner Stenberg Sullivan Suzuki Szabó Takahashi Tavares Thorvaldsen
Tiedemann Toivonen Torres Tremblay Ueda Vainio Valdez Vandenbroucke Vargas Vasconcelos Venkatesan Villanueva Virtanen Vogel
Wakefield Weinberg Whitfield Wieczorek Winther Wójcik Yamamoto Yıldırım Zając Zapata Zieliński Zimmermann
`;
export const FIRST_NAMES = FIRST.trim().split(/\s+/);
export const LAST_NAMES = LAST.trim().split(/\s+/);

/** Last names of several words, as one person writes them everywhere. */
export const MANY_PART = [
  'van der Meer',
  'de la Cruz',
  'von Hohenberg',
  'García Márquez',
  'dos Santos',
  'al-Rashid',
  'Ben Ali',
  'Le Goff',
  'Ní Dhuibhne',
  'Smith-Rowe',
];

export const SAINTS = [
  ['St. Clair', 'St Clair', 'Saint Clair'],
  ['St. John', 'St John', 'Saint John'],
  ['St. Pierre', 'St Pierre', 'Saint Pierre'],
  ['St. Laurent', 'St Laurent', 'Saint-Laurent'],
  ['St. James', 'St James', 'Saint James'],
] as const;
export const TWO_FAMILIES = [
  ['García', 'López'],
  ['Hernández', 'Ruiz'],
  ['Silva', 'Santos'],
  ['Fernández', 'Castro'],
  ['Oliveira', 'Lima'],
] as const;
/** What friends call people, with the name that the CRM has. */
export const NICKNAMED = [
  ['Maggie', 'Margaret'],
  ['Beppe', 'Giuseppe'],
  ['Sepp', 'Josef'],
  ['Staszek', 'Stanisław'],
  ['Lesha', 'Aleksei'],
  ['Zé', 'José'],
  ['Chayo', 'Rosario'],
  ['Zosia', 'Zofia'],
  ['Tony', 'Anthony'],
  ['Liz', 'Elizabeth'],
  ['Jim', 'James'],
  ['Kate', 'Katherine'],
  ['Sasha', 'Aleksandr'],
  ['Paco', 'Francisco'],
  ['Gosia', 'Małgorzata'],
  ['Mike', 'Michael'],
  ['Dasha', 'Daria'],
  ['Steve', 'Stephen'],
  ['Pepe', 'José'],
  ['Kasia', 'Katarzyna'],
] as const;

/** In their own alphabet, with the ways their passports, banks and colleagues write them. */
export const CYRILLIC_FIRST = [
  ['Алексей', 'Alexey', 'Aleksei', 'Alexei'],
  ['Юлия', 'Yulia', 'Julia', 'Iuliia', 'Yuliya'],
  ['Евгений', 'Evgeny', 'Yevgeny', 'Evgenii'],
  ['Наталья', 'Natalia', 'Natalya'],
  ['Андрей', 'Andrey', 'Andrei'],
  ['Олександр', 'Oleksandr', 'Alexander'],
  ['Сергій', 'Serhii', 'Sergiy', 'Sergey'],
  ['Ксения', 'Ksenia', 'Kseniya', 'Xenia'],
  ['Людмила', 'Lyudmila', 'Liudmila', 'Ludmila'],
  ['Владислав', 'Vladislav'],
  ['Тетяна', 'Tetiana', 'Tetyana'],
  ['Фёдор', 'Fyodor', 'Fedor'],
  ['Татьяна', 'Tatiana', 'Tatyana'],
  ['Геннадий', 'Gennady', 'Gennadii', 'Gennadiy'],
  ['Георги', 'Georgi'],
  ['Милош', 'Milos', 'Miloš'],
  ['Айгуль', 'Aigul', 'Aygul'],
  ['Тимур', 'Timur'],
] as const;
export const CYRILLIC_LAST = [
  ['Щербаков', 'Shcherbakov', 'Scherbakov'],
  ['Зеленский', 'Zelensky', 'Zelenskiy', 'Zelenskii'],
  ['Коваленко', 'Kovalenko'],
  ['Шевченко', 'Shevchenko'],
  ['Соловьёв', 'Solovyov', 'Solovev', 'Soloviev'],
  ['Жуков', 'Zhukov'],
  ['Хабаров', 'Khabarov', 'Habarov'],
  ['Цветков', 'Tsvetkov'],
  ['Чайковский', 'Chaikovsky', 'Tchaikovsky', 'Chaykovskiy'],
  ['Юдин', 'Yudin', 'Iudin'],
  ['Яковлев', 'Yakovlev', 'Iakovlev'],
  ['Ткаченко', 'Tkachenko'],
  ['Бондаренко', 'Bondarenko'],
  ['Гончар', 'Honchar', 'Gonchar'],
  ['Медведев', 'Medvedev'],
  ['Левицький', 'Levytskyi', 'Levytsky'],
] as const;
export const GREEK = [
  ['Γιώργος Παπαδόπουλος', 'Giorgos', 'Papadopoulos'],
  ['Ελένη Νικολάου', 'Eleni', 'Nikolaou'],
  ['Κώστας Αντωνίου', 'Kostas', 'Antoniou'],
  ['Δημήτρης Κωνσταντίνου', 'Dimitris', 'Konstantinou'],
] as const;

/** Pairs of people whose names differ by an ending or a letter only. */
export const NEARLY = [
  ['Maria', 'Marina'],
  ['Daniel', 'Daniela'],
  ['Jan', 'Jana'],
  ['Mario', 'Maria'],
  ['Christian', 'Christina'],
  ['Erik', 'Erika'],
  ['Julian', 'Juliana'],
  ['Alexandra', 'Alexander'],
  ['Gabriel', 'Gabriela'],
  ['Paul', 'Paula'],
] as const;

export const COMPANIES = [
  'Northgate Logistics',
  'Kestrel',
  'Blue Harbour',
  'Stark & Sons GmbH',
  'Olivar',
  'Meridian Clinics',
  'Sahel Foods',
  'Alpwerk AG',
  'Vandelay Industries',
  'Tyrell Corp',
];

export const EMOJI = ['🚀', '🌿', '✨', '🇧🇷', '👩‍💻', '❤️', '⚡️', '🦊', '🏄🏽‍♂️', '🇺🇦', '1️⃣', '🎧'];
